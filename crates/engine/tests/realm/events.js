// Event, CustomEvent and EventTarget: https://dom.spec.whatwg.org/#events
let checks = 0;
const is = (got, expected, what) => {
  checks += 1;
  if (!Object.is(got, expected)) throw new Error(`${what}: ${String(got)} in place of ${String(expected)}`);
};
const nameOf = (run) => {
  try {
    run();
  } catch (error) {
    return error.name;
  }
  return 'nothing thrown';
};

const event = new Event('type', { bubbles: true, cancelable: 1, composed: 0 });
is(event.type, 'type', 'type');
is(event.bubbles, true, 'bubbles');
is(event.cancelable, true, 'cancelable');
is(event.composed, false, 'composed');
is(event.defaultPrevented, false, 'defaultPrevented');
is(event.isTrusted, false, 'isTrusted');
is(event.target, null, 'target');
is(event.eventPhase, 0, 'eventPhase');
is(typeof event.timeStamp, 'number', 'timeStamp');
is(event.composedPath().length, 0, 'composedPath');
is(Event.AT_TARGET, 2, 'constants');
is(event.AT_TARGET, 2, 'constants of the prototype');
is(new Event(null).type, 'null', 'the type is a string');
is(nameOf(() => new Event()), 'TypeError', 'a type is needed');
is(nameOf(() => Event('x')), 'TypeError', 'new is needed');
is(nameOf(() => new Event('x', 1)), 'TypeError', 'options are an object');
is(nameOf(() => Event.prototype.type), 'TypeError', 'the prototype is no event');
is(new CustomEvent('x').detail, null, 'no detail');
const detail = {};
is(new CustomEvent('x', { detail }).detail, detail, 'detail');
is(new CustomEvent('x') instanceof Event, true, 'a CustomEvent is an Event');

// Listeners: in order, each once, as functions and as objects.
const target = new EventTarget();
const calls = [];
const first = function (given) {
  calls.push(['first', this === target, given.target === target, given.currentTarget === target, given.eventPhase].join());
};
const object = {
  handleEvent() {
    calls.push(`object ${this === object}`);
  },
};
target.addEventListener('x', first);
target.addEventListener('x', first);
target.addEventListener('x', object);
target.addEventListener('x', null);
target.addEventListener('y', () => calls.push('never'));
target.addEventListener('x', first, { capture: true });
is(target.dispatchEvent(new Event('x')), true, 'dispatchEvent');
is(calls.join(' | '), 'first,true,true,true,2 | object true | first,true,true,true,2', 'calls');
target.removeEventListener('x', first);
target.removeEventListener('x', first, true);
target.removeEventListener('x', () => {});
target.removeEventListener('never', first);
calls.length = 0;
target.dispatchEvent(new Event('x'));
is(calls.join(), 'object true', 'removed');

// once, stopping, cancelling, listeners that come and go meanwhile.
const other = new EventTarget();
let count = 0;
other.addEventListener('once', () => (count += 1), { once: true });
other.dispatchEvent(new Event('once'));
other.dispatchEvent(new Event('once'));
is(count, 1, 'once');
other.addEventListener('stop', (given) => {
  count += 10;
  given.stopImmediatePropagation();
});
other.addEventListener('stop', () => (count += 100));
other.dispatchEvent(new Event('stop'));
is(count, 11, 'stopImmediatePropagation');
other.addEventListener('cancel', (given) => given.preventDefault());
is(other.dispatchEvent(new Event('cancel', { cancelable: true })), false, 'preventDefault');
is(other.dispatchEvent(new Event('cancel')), true, 'only where it is cancelable');
const passive = new EventTarget();
passive.addEventListener('cancel', (given) => given.preventDefault(), { passive: true });
is(passive.dispatchEvent(new Event('cancel', { cancelable: true })), true, 'a passive listener cannot');
const changing = new EventTarget();
const log = [];
const late = () => log.push('late');
const gone = () => log.push('gone');
changing.addEventListener('x', () => {
  log.push('first');
  changing.addEventListener('x', late);
  changing.removeEventListener('x', gone);
});
changing.addEventListener('x', gone);
changing.dispatchEvent(new Event('x'));
is(log.join(), 'first', 'added ones wait, removed ones are not called');
changing.dispatchEvent(new Event('x'));
is(log.join(), 'first,first,late', 'until the next time');

// An event that is being dispatched, or is none.
const again = new EventTarget();
let inner;
again.addEventListener('x', (given) => (inner = nameOf(() => again.dispatchEvent(given))));
again.dispatchEvent(new Event('x'));
is(inner, 'InvalidStateError', 'not twice at once');
is(nameOf(() => again.dispatchEvent({ type: 'x' })), 'TypeError', 'no event');
is(nameOf(() => again.addEventListener('x')), 'TypeError', 'a listener is needed');
is(nameOf(() => again.addEventListener('x', 'code()')), 'TypeError', 'a string is no listener');
is(nameOf(() => EventTarget.prototype.addEventListener.call({}, 'x', () => {})), 'TypeError', 'the target is needed');

// A signal takes listeners away.
const controller = new AbortController();
let heard = 0;
again.addEventListener('s', () => (heard += 1), { signal: controller.signal });
again.dispatchEvent(new Event('s'));
controller.abort();
again.dispatchEvent(new Event('s'));
again.addEventListener('s', () => (heard += 1), { signal: controller.signal });
again.dispatchEvent(new Event('s'));
is(heard, 1, 'signal');
is(nameOf(() => again.addEventListener('s', () => {}, { signal: {} })), 'TypeError', 'a signal is an AbortSignal');

// Subclasses.
class Emitter extends EventTarget {
  #name = 'e';
  emit(type) {
    return this.dispatchEvent(new CustomEvent(type, { detail: this.#name }));
  }
}
let told;
const emitter = new Emitter();
emitter.addEventListener('t', ({ detail: given }) => (told = given));
emitter.emit('t');
is(told, 'e', 'a subclass');
return checks;
