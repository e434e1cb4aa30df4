// setTimeout, setInterval, setImmediate, sleep and queueMicrotask.
let checks = 0;
const is = (got, expected, what) => {
  checks += 1;
  if (!Object.is(got, expected)) throw new Error(`${what}: ${String(got)} in place of ${String(expected)}`);
};
const throwsTypeError = (run, what) => {
  let error;
  try {
    run();
  } catch (caught) {
    error = caught;
  }
  is(error instanceof TypeError, true, what);
};

// Order: due time, then order of call; microtasks before any.
const order = [];
const add = (name) => () => order.push(name);
setTimeout(add('ten'), 10);
setTimeout(add('two'), 2);
setImmediate(add('immediate'));
setTimeout(add('zero'), 0);
setTimeout(add('default'));
setTimeout(add('negative'), -5);
setTimeout(add('not a number'), 'x');
setTimeout(add('two again'), '2');
queueMicrotask(add('microtask'));
Promise.resolve().then(add('reaction'));
await sleep(20);
is(order.join(), 'microtask,reaction,immediate,zero,default,negative,not a number,two,two again,ten', 'order');

// Arguments, the value of this, numbers.
let received;
const id = setTimeout(
  function (...args) {
    received = [this, ...args];
  },
  1,
  'a',
  2,
);
is(typeof id, 'number', 'a timer is a number');
await sleep(2);
is(received.slice(1).join(), 'a,2', 'arguments are passed on');
await new Promise((resolve) => setImmediate(resolve, 'value')).then((value) => is(value, 'value', 'setImmediate passes arguments on'));

// Clearing: before it is due, from within, twice, with nonsense, across kinds.
let cleared = true;
const doomed = setTimeout(() => (cleared = false), 1);
clearTimeout(doomed);
clearTimeout(doomed);
const interval = setTimeout(() => (cleared = false), 1);
clearInterval(interval);
clearTimeout(String(setTimeout(() => (cleared = false), 1)));
for (const nonsense of [undefined, null, -1, 1e9, 'x', {}, NaN, Symbol('s')]) clearTimeout(nonsense);
const immediate = setImmediate(() => (cleared = false));
clearImmediate(immediate);
await sleep(5);
is(cleared, true, 'cleared timers do not fire');

// Intervals: at least a millisecond apart, end when cleared from within, keep their number.
const before = performance.now();
let ticks = 0;
await new Promise((resolve) => {
  const ticker = setInterval(
    (step) => {
      ticks += step;
      if (ticks === 6) {
        clearInterval(ticker);
        resolve();
      }
    },
    0,
    2,
  );
});
is(ticks, 6, 'an interval ticks until it is cleared');
is(performance.now() - before >= 3, true, 'ticks are a millisecond apart at least');
await sleep(5);
is(ticks, 6, 'a cleared interval stays silent');

// sleep
is(sleep(0) instanceof Promise, true, 'sleep gives a promise');
is(await sleep(1), undefined, 'sleep gives nothing');
is(await sleep(1, 'value'), 'value', 'sleep gives its value');
const start = performance.now();
await sleep(7.9);
is(performance.now() - start >= 7, true, 'sleep sleeps');
is(await Promise.race([sleep(50, 'late'), sleep(5, 'early')]), 'early', 'a race of sleeps');

// What is no function.
for (const callback of [undefined, null, 'code()', {}, 1]) {
  throwsTypeError(() => setTimeout(callback, 1), 'setTimeout needs a function');
  throwsTypeError(() => setInterval(callback, 1), 'setInterval needs a function');
  throwsTypeError(() => setImmediate(callback), 'setImmediate needs a function');
  throwsTypeError(() => queueMicrotask(callback), 'queueMicrotask needs a function');
}
throwsTypeError(() => setTimeout(() => {}, 1n), 'a BigInt is no delay');
throwsTypeError(() => setTimeout(() => {}, Symbol('s')), 'a symbol is no delay');

// A long delay stays long: it neither fires at once nor keeps the run.
let fired = false;
const far = setTimeout(() => (fired = true), 2 ** 40);
const farther = setTimeout(() => (fired = true), Infinity);
await sleep(1);
is(fired, false, 'days are days');
clearTimeout(far);
clearTimeout(farther);
return checks;
