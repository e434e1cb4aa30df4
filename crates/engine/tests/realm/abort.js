// AbortController and AbortSignal: https://dom.spec.whatwg.org/#aborting-ongoing-activities
let checks = 0;
const is = (got, expected, what) => {
  checks += 1;
  if (!Object.is(got, expected)) throw new Error(`${what}: ${String(got)} in place of ${String(expected)}`);
};
const caught = (run) => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
};

const controller = new AbortController();
const { signal } = controller;
is(controller.signal, signal, 'one signal');
is(signal instanceof EventTarget, true, 'a signal is an EventTarget');
is(signal.aborted, false, 'not aborted');
is(signal.reason, undefined, 'no reason');
is(signal.throwIfAborted(), undefined, 'throwIfAborted');
const calls = [];
signal.onabort = function (event) {
  calls.push(`on ${this === signal} ${event.type} ${event.isTrusted}`);
};
signal.addEventListener('abort', (event) => calls.push(`listener ${event.target === signal} ${signal.aborted}`));
signal.addEventListener('abort', () => calls.push('once'), { once: true });
controller.abort();
controller.abort('again');
is(calls.join(' | '), 'on true abort true | listener true true | once', 'the event comes once');
is(signal.reason instanceof DOMException, true, 'the reason is a DOMException');
is(signal.reason instanceof Error, true, 'which is an Error');
is(signal.reason.name, 'AbortError', 'its name');
is(signal.reason.code, 20, 'its code');
is(signal.reason.message, 'This operation was aborted', 'its message');
is(caught(() => signal.throwIfAborted()), signal.reason, 'throwIfAborted throws it');

// Reasons.
const reasoned = new AbortController();
reasoned.abort(null);
is(reasoned.signal.reason, null, 'null is a reason');
is(AbortSignal.abort(5).reason, 5, 'abort with a reason');
is(AbortSignal.abort().aborted, true, 'abort');
is(AbortSignal.abort().reason.name, 'AbortError', 'abort without one');

// onabort can be exchanged and taken away.
const exchanged = new AbortController();
const heard = [];
exchanged.signal.onabort = () => heard.push('first');
exchanged.signal.addEventListener('abort', () => heard.push('listener'));
exchanged.signal.onabort = () => heard.push('second');
is(typeof exchanged.signal.onabort, 'function', 'onabort reads back');
exchanged.abort();
is(heard.join(), 'second,listener', 'a new handler keeps the place');
const silent = new AbortController();
silent.signal.onabort = () => heard.push('never');
silent.signal.onabort = 'nonsense';
is(silent.signal.onabort, null, 'nonsense is null');
silent.abort();
is(heard.length, 2, 'no handler');

// timeout
const timed = AbortSignal.timeout(3);
is(timed.aborted, false, 'not yet');
await new Promise((resolve) => timed.addEventListener('abort', resolve));
is(timed.reason.name, 'TimeoutError', 'timeout');
is(timed.reason.code, 23, 'its code');
for (const value of [-1, NaN, Infinity, 2 ** 53, 'x']) is(caught(() => AbortSignal.timeout(value)) instanceof TypeError, true, `timeout(${value})`);

// any
const a = new AbortController();
const b = new AbortController();
const either = AbortSignal.any([a.signal, b.signal]);
const both = AbortSignal.any([either, AbortSignal.timeout(1000)]);
const order = [];
both.addEventListener('abort', () => order.push(`both ${either.aborted}`));
either.addEventListener('abort', () => order.push(`either ${both.aborted}`));
b.signal.addEventListener('abort', () => order.push(`source ${both.aborted}`));
b.abort('why');
is(either.reason, 'why', 'any takes over the reason');
is(both.reason, 'why', 'through another one');
is(a.signal.aborted, false, 'not backwards');
is(order.join(' | '), 'source true | either true | both true', 'all are aborted before any is told');
is(AbortSignal.any([]).aborted, false, 'any of none');
is(AbortSignal.any([AbortSignal.abort(1), AbortSignal.abort(2)]).reason, 1, 'the first aborted one counts');
is(AbortSignal.any(new Set([a.signal])).aborted, false, 'any takes an iterable');
is(caught(() => AbortSignal.any([{}])) instanceof TypeError, true, 'only signals');
is(caught(() => AbortSignal.any(1)) instanceof TypeError, true, 'only iterables');

// A pattern from real scripts: a race that is given up.
const work = (ms, given) =>
  new Promise((resolve, reject) => {
    given.throwIfAborted();
    const timer = setTimeout(resolve, ms, 'done');
    given.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(given.reason);
    });
  });
is(await work(1, new AbortController().signal), 'done', 'work that ends');
is(await work(1000, AbortSignal.timeout(2)).catch((error) => error.name), 'TimeoutError', 'work that is given up');

is(caught(() => new AbortSignal()) instanceof TypeError, true, 'no signals by hand');
is(caught(() => AbortSignal.prototype.aborted) instanceof TypeError, true, 'the prototype is no signal');
is(Object.prototype.toString.call(signal), '[object AbortSignal]', 'tag');
is(Object.prototype.toString.call(controller), '[object AbortController]', 'tag');

// DOMException: https://webidl.spec.whatwg.org/#idl-DOMException
const exception = new DOMException('message', 'DataCloneError');
is(`${exception}`, 'DataCloneError: message', 'DOMException as text');
is(exception.code, 25, 'legacy code');
is(new DOMException().name, 'Error', 'default name');
is(new DOMException('x', 'Custom').code, 0, 'no legacy code');
is(DOMException.ABORT_ERR, 20, 'constant');
is(exception.ABORT_ERR, 20, 'constant of the prototype');
is(typeof exception.stack, 'string', 'stack');
is(Object.prototype.toString.call(exception), '[object DOMException]', 'tag');
return checks;
