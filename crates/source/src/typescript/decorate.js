function $decorate(decorators, define) {
  const metadataKey = Symbol.metadata ?? Symbol.for("Symbol.metadata");
  const lists = [], marks = [], keys = [], slots = [], found = [], beforeFields = [[], []], afterClass = [];
  const callable = (value) => {
    if (typeof value !== "function") throw new TypeError("a decorator works with functions, not with " + typeof value);
    return value;
  };
  const run = (initializers, self) => {
    for (const initializer of initializers) initializer.call(self);
  };
  const call = (list, current, context, initializers, use) => {
    for (const decorator of list.toReversed()) {
      let open = true;
      const addInitializer = (initializer) => {
        if (!open) throw new TypeError("addInitializer was called after its decorator had ended");
        initializers.push(callable(initializer));
      };
      const result = decorator(current(), { ...context, addInitializer });
      open = false;
      if (result !== undefined) use(result);
    }
  };
  const decorateElement = (spec, index, owner, metadata) => {
    const { kind, private: hidden = false, static: fixed = false, base } = spec;
    const name = "name" in spec ? String(spec.name) : keys[index];
    const part = { getter: "get", setter: "set" }[kind] ?? "value";
    const target = fixed ? owner : owner.prototype;
    const key = slots[index] ?? name;
    const own = kind === "field" ? {} : base ?? Object.getOwnPropertyDescriptor(target, key);
    if (slots[index]) {
      delete target[key];
      const value = part === "value" ? name : part + " " + name;
      Object.defineProperty(own[part], "name", { configurable: true, value });
    }
    const isField = kind === "field" || kind === "accessor";
    const { has = (object) => name in object, get = (object) => object[name], set = (object, value) => { object[name] = value; } } = spec;
    const access = { has };
    if (kind !== "setter") access.get = get;
    if (isField || kind === "setter") access.set = set;
    const init = [], extra = isField ? [] : beforeFields[Number(fixed)];
    const current = () => kind === "accessor" ? { get: own.get, set: own.set } : own[part];
    call(lists[index], current, { kind, name, static: fixed, private: hidden, access, metadata }, extra, (result) => {
      if (kind === "field") return init.unshift(callable(result));
      if (kind !== "accessor") return own[part] = callable(result);
      if (typeof result !== "object" || result === null) throw new TypeError("the decorator of an accessor must return an object");
      if (result.get !== undefined) own.get = callable(result.get);
      if (result.set !== undefined) own.set = callable(result.set);
      if (result.init !== undefined) init.unshift(callable(result.init));
    });
    if (!hidden && kind !== "field") Object.defineProperty(target, key, own);
    found[index] = { name, init, extra, own };
  };
  return define({
    of(...list) {
      const mark = Symbol();
      lists.push(list);
      marks.push(mark);
      return mark;
    },
    key: (index, key) => keys[index] = typeof key === "symbol" ? key : `${key}`,
    again: (index) => keys[index],
    slot: (index) => slots[index] = Symbol(),
    own: (index) => found[index].own,
    same: (value) => value,
    apply(owner, specs) {
      const metadata = Object.create(Object.getPrototypeOf(owner)?.[metadataKey] ?? null);
      for (const mark of marks) delete owner[mark];
      for (const fields of [false, true]) {
        for (const fixed of [true, false]) {
          specs.forEach((spec, index) => {
            const here = (spec.kind === "field") === fields && (spec.static ?? false) === fixed;
            if (here) decorateElement(spec, index, owner, metadata);
          });
        }
      }
      this.value = owner;
      call(decorators, () => this.value, { kind: "class", name: owner.name, metadata }, afterClass, (result) => {
        this.value = callable(result);
      });
      Object.defineProperty(this.value, metadataKey, { configurable: true, writable: true, value: metadata });
      run(beforeFields[1], this.value);
      return this.value;
    },
    start: (self) => run(beforeFields[0], self),
    init: (index, self, value) => found[index].init.reduce((current, initializer) => initializer.call(self, current), value),
    named: (index, value) => Object.defineProperty(value, "name", { configurable: true, value: String(found[index].name) }),
    extra: (index, self) => run(found[index].extra, self),
    finish() {
      run(afterClass, this.value);
    },
  });
}
