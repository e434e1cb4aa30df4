// The bare realm is ECMAScript and `console`: without what the engine adds for the web.
(function (native, kit) {
  'use strict';

  const web = ['DOMException', 'atob', 'btoa', 'queueMicrotask'];
  for (let i = 0; i < web.length; i++) delete globalThis[web[i]];
});
