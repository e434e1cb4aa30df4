// setTimeout, setInterval, setImmediate (https://html.spec.whatwg.org/#timers) and `sleep`. The host keeps the time: it fires timers in the
// order of due time, then of call. Every tick of an interval is a timer of its own, under the same number.
(function (native, kit) {
  'use strict';

  const { apply, max, mapDelete, mapGet, mapSet, min, Number, TypeError, trunc } = kit;
  const { clearTimer, setTimer } = native;

  const LONGEST_DELAY = 8.64e15; // milliseconds; the span of Date

  const timers = new kit.Map();
  let lastId = 0;

  const milliseconds = (delay, least) => {
    const number = trunc(+delay);
    return number > least ? min(number, LONGEST_DELAY) : least;
  };

  const start = (timer) => {
    lastId++;
    mapSet(timers, lastId, timer);
    setTimer(lastId, timer.delay);
    return lastId;
  };

  const stop = (id) => {
    const number = typeof id === 'symbol' ? NaN : Number(id);
    const timer = mapGet(timers, number);
    if (!mapDelete(timers, number)) return;
    // A tick that is running is not set at the host.
    if (!timer.running) clearTimer(number);
  };

  const set = (callback, delay, repeats, args, name) => {
    if (typeof callback !== 'function') throw new TypeError(`${name}: the callback must be a function`);
    return start({ __proto__: null, callback, delay, repeats, args, running: false });
  };

  native.onTimer((id) => {
    const timer = mapGet(timers, id);
    if (timer === undefined) return;
    if (!timer.repeats) mapDelete(timers, id);
    timer.running = true;
    try {
      apply(timer.callback, undefined, timer.args);
    } finally {
      timer.running = false;
      if (timer.repeats && mapGet(timers, id) === timer) setTimer(id, timer.delay);
    }
  });

  kit.globalFunctions({
    setTimeout(callback, delay = 0, ...args) {
      return set(callback, milliseconds(delay, 0), false, args, 'setTimeout');
    },
    setInterval(callback, delay = 0, ...args) {
      return set(callback, milliseconds(delay, 1), true, args, 'setInterval');
    },
    setImmediate(callback, ...args) {
      return set(callback, 0, false, args, 'setImmediate');
    },
    clearTimeout(id = undefined) {
      stop(id);
    },
    clearInterval(id = undefined) {
      stop(id);
    },
    clearImmediate(id = undefined) {
      stop(id);
    },
    // A promise that is fulfilled with `value` when `ms` milliseconds are over.
    sleep(ms, value = undefined) {
      const delay = milliseconds(ms, 0);
      return new kit.Promise((resolve) => {
        start({ __proto__: null, callback: resolve, delay, repeats: false, args: [value] });
      });
    },
  });

  // For the realm's own use.
  kit.startTimer = (callback, delay) => start({ __proto__: null, callback, delay: milliseconds(delay, 0), repeats: false, args: [] });
});
