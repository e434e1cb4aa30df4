// How `inspect` writes errors: class and message, then the frames of the script.
(function (native, kit) {
  'use strict';

  const { descriptor, join, list, ownData, prefix, stringEndsWith, stringIncludes, stringIndexOf, stringSlice,
    stringStartsWith } = kit;
  const stackOf = kit.uncurryThis(descriptor(Error.prototype, 'stack').get);

  const frames = (error) => {
    const own = ownData(error, 'stack');
    if (own !== undefined) return typeof own === 'string' ? own : '';
    const stack = stackOf(error);
    return typeof stack === 'string' ? stack : '';
  };

  // Without the frames of the realm's own files, and without the newline at the end.
  const ownFrames = (stack) => {
    const kept = list();
    for (let from = 0; from < stack.length; ) {
      let end = stringIndexOf(stack, '\n', from);
      if (end < 0) end = stack.length;
      const line = stringSlice(stack, from, end);
      if (line !== '' && !stringIncludes(line, '(intermission:')) kept[kept.length] = line;
      from = end + 1;
    }
    return join(kept, '\n');
  };

  // "Foo [TypeError]": the class where the error's name does not say it.
  const heading = (name, constructor, tag) => {
    if (!stringEndsWith(name, 'Error') && constructor !== null) return name;
    const full = prefix(constructor, tag, 'Error');
    const label = stringSlice(full, 0, full.length - 1);
    return label === name || stringIncludes(label, name) ? label : `${label} [${name}]`;
  };

  const fields = kit.DOMException.prototype;
  const domName = kit.uncurryThis(descriptor(fields, 'name').get);
  const domMessage = kit.uncurryThis(descriptor(fields, 'message').get);
  kit.readDOMException = (error, key) => (key === 'name' ? domName : domMessage)(error);

  const textOf = (value) => (typeof value === 'string' ? value : '');

  // Where the script is: the frames of a stack made here.
  kit.scriptFrames = () => ownFrames(stackOf(new kit.Error()));

  // The text before the braces. `read(error, key)` gives the name and the message.
  kit.describeError = (error, constructor, tag, read) => {
    const name = textOf(read(error, 'name')) || 'Error';
    const message = textOf(read(error, 'message'));
    const stack = ownFrames(frames(error));
    if (stack !== '' && !stringStartsWith(stack, '    at ')) {
      return stringIncludes(stack, '\n    at ') ? stack : `[${stack}]`;
    }
    const head = heading(name, constructor, tag) + (message === '' ? '' : `: ${message}`);
    return stack === '' ? `[${head}]` : `${head}\n${stack}`;
  };
});
