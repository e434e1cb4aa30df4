// atob and btoa (https://html.spec.whatwg.org/#atob) are the engine's own; what it lacks is to insist on the argument.
(function (native, kit) {
  'use strict';

  const { atob, btoa } = globalThis;

  kit.globalFunctions({
    atob(data) {
      kit.needArguments(arguments.length, 1, 'atob');
      return atob(data);
    },
    btoa(data) {
      kit.needArguments(arguments.length, 1, 'btoa');
      return btoa(data);
    },
  });
});
