// `console` (https://console.spec.whatwg.org), all of whose entries go to the host: method, text, arguments.
(function (native, kit) {
  'use strict';

  const { define, format, inspect, mapDelete, mapGet, mapHas, mapSet, stringIncludes, stringIndexOf, stringSlice } = kit;
  const { emitConsole, now } = native;

  const LONGEST_TEXT = 0x40000; // characters

  const counts = new kit.Map();
  const timers = new kit.Map();
  let margin = '';

  const indent = (text) => {
    let written = '';
    let from = 0;
    for (let end = stringIndexOf(text, '\n'); end >= 0; end = stringIndexOf(text, '\n', from)) {
      written += margin + stringSlice(text, from, end + 1);
      from = end + 1;
    }
    return written + margin + stringSlice(text, from);
  };

  const emit = (method, text, args) => {
    if (text.length > LONGEST_TEXT) {
      text = `${stringSlice(text, 0, LONGEST_TEXT)}... ${kit.plural(text.length - LONGEST_TEXT, 'character')}`;
    }
    emitConsole(method, margin === '' ? text : indent(text), args);
  };

  const write = (method, args) => {
    emit(method, args.length === 1 && typeof args[0] === 'string' ? args[0] : format(args), args);
  };

  const label = (value) => (value === undefined ? 'default' : `${value}`);

  // 1.234s, 3:05.000 (m:ss.mmm): as Node writes a duration; the run's clock counts whole milliseconds.
  const duration = (milliseconds) => {
    const pad = (number) => kit.stringPadStart(`${number}`, 2, '0');
    if (milliseconds < 1000) return `${milliseconds}ms`;
    const seconds = kit.floor(milliseconds / 1000);
    const rest = kit.stringPadStart(`${milliseconds % 1000}`, 3, '0');
    if (seconds < 60) return `${seconds}.${rest}s`;
    const minutes = kit.floor(seconds / 60);
    if (minutes < 60) return `${minutes}:${pad(seconds % 60)}.${rest} (m:ss.mmm)`;
    return `${kit.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(seconds % 60)} (h:mm:ss)`;
  };

  const elapsed = (name) => duration(now() - mapGet(timers, name));

  const warnOfTimer = (method, name) => emit('warn', `Warning: No such label '${name}' for console.${method}()`, []);

  const prepend = (text, args) => {
    const all = kit.list();
    all[0] = text;
    for (let i = 0; i < args.length; i++) all[i + 1] = args[i];
    return all;
  };

  const methods = {
    __proto__: null,
    log(...args) {
      write('log', args);
    },
    info(...args) {
      write('info', args);
    },
    debug(...args) {
      write('debug', args);
    },
    warn(...args) {
      write('warn', args);
    },
    error(...args) {
      write('error', args);
    },
    trace(...args) {
      const message = args.length ? `Trace: ${format(args)}` : 'Trace';
      const stack = kit.scriptFrames();
      emit('trace', stack === '' ? message : `${message}\n${stack}`, args);
    },
    assert(condition, ...args) {
      if (condition) return;
      if (args.length === 0) emit('assert', 'Assertion failed', args);
      else if (typeof args[0] === 'string') emit('assert', `Assertion failed: ${format(args)}`, args);
      else emit('assert', format(prepend('Assertion failed:', args)), args);
    },
    dir(value, options) {
      const depth = options === undefined || options === null ? undefined : options.depth;
      emit('dir', inspect(value, depth === null ? Infinity : typeof depth === 'number' ? depth : 2), [value]);
    },
    dirxml(...args) {
      write('dirxml', args);
    },
    table(data, columns) {
      emit('table', kit.table(data, columns) ?? format([data]), columns === undefined ? [data] : [data, columns]);
    },
    group(...args) {
      if (args.length) write('group', args);
      margin += '  ';
    },
    groupCollapsed(...args) {
      if (args.length) write('groupCollapsed', args);
      margin += '  ';
    },
    groupEnd() {
      margin = stringSlice(margin, 2);
    },
    count(name) {
      name = label(name);
      const count = (mapGet(counts, name) ?? 0) + 1;
      mapSet(counts, name, count);
      emit('count', `${name}: ${count}`, [name, count]);
    },
    countReset(name) {
      name = label(name);
      if (!mapDelete(counts, name)) emit('warn', `Warning: Count for '${name}' does not exist`, []);
    },
    time(name) {
      name = label(name);
      if (mapHas(timers, name)) emit('warn', `Warning: Label '${name}' already exists for console.time()`, []);
      else mapSet(timers, name, now());
    },
    timeLog(name, ...args) {
      name = label(name);
      if (!mapHas(timers, name)) warnOfTimer('timeLog', name);
      else emit('timeLog', format(prepend(`${name}: ${elapsed(name)}`, args)), args);
    },
    timeEnd(name) {
      name = label(name);
      if (!mapHas(timers, name)) warnOfTimer('timeEnd', name);
      else emit('timeEnd', `${name}: ${elapsed(name)}`, []);
      mapDelete(timers, name);
    },
  };

  // A namespace object: its prototype is an empty object, its methods are enumerable and need no `this`.
  const console = kit.create(kit.create(Object.prototype));
  const names = kit.ownKeys(methods);
  for (let i = 0; i < names.length; i++) console[names[i]] = methods[names[i]];
  kit.defineProperty(console, Symbol.toStringTag, { __proto__: null, value: 'console', configurable: true });
  define(kit.global, 'console', console);
});
