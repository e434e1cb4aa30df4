// What the engine has and this realm does not.
(function (native, kit) {
  'use strict';

  const absent = ['Atomics', 'Intl', 'SharedArrayBuffer', 'WebAssembly', 'gc', 'navigator', 'performance', 'print', 'scriptArgs'];
  for (let i = 0; i < absent.length; i++) delete globalThis[absent[i]];

  // A call site would hand out the realm's own functions. As for strict code elsewhere, it has none to show.
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (error, sites) => sites;
  const sites = new Error().stack;
  Error.prepareStackTrace = prepareStackTrace;
  const { getFunction } = {
    getFunction() {
      return undefined;
    },
  };
  kit.define(Object.getPrototypeOf(sites[0]), 'getFunction', getFunction);
});
