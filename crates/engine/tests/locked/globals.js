// The locked realm: the bare one, and nothing of it can be changed.
'use strict';
let checks = 0;
const check = (condition, what) => {
  checks += 1;
  if (!condition) throw new Error(what);
};
const refused = (change, what) => {
  let threw = false;
  try {
    change();
  } catch (error) {
    threw = error instanceof TypeError;
  }
  check(threw, `${what} is refused`);
};

for (const name of ['input', 'data', 'setTimeout', 'DOMException', 'atob']) check(!(name in globalThis), `${name} is absent`);
check(eval === undefined, 'eval');

refused(() => { Object.prototype.polluted = 1; }, 'a new property of Object.prototype');
refused(() => { Object.prototype.toString = 1; }, 'another toString');
refused(() => { Array.prototype.push = 1; }, 'another push');
refused(() => { Array.prototype.toString = 1; }, 'another toString of arrays');
refused(() => { Error.prototype.name = 1; }, 'another name of errors');
refused(() => { Promise.prototype.then = 1; }, 'another then');
refused(() => { Iterator.prototype.map = 1; }, 'another map of iterators');
refused(() => { Object.getPrototypeOf(function* () {}).prototype.next = 1; }, 'another next');
refused(() => { JSON.parse = 1; }, 'another parse');
refused(() => { Math.random = 1; }, 'another random');
refused(() => { Map = 1; }, 'another Map');
refused(() => { delete globalThis.Set; }, 'no Set');
refused(() => { Object.defineProperty(Object.prototype, 'x', { value: 1 }); }, 'a defined property');
let code;
try {
  code = (() => {}).constructor('return 1')();
} catch (error) {
  code = error.name;
}
check(code === 'EvalError', 'no code from strings');

// Ordinary objects are not concerned.
const counts = {};
for (const word of ['toString', 'constructor', 'valueOf', 'hasOwnProperty', '__defineGetter__']) counts[word] = 1;
check(Object.keys(counts).length === 5 && counts.toString === 1, 'words are counted');
class Mistake extends Error {
  constructor(message) {
    super(message);
    this.name = 'Mistake';
    this.message += '!';
  }
}
check(`${new Mistake('x')}` === 'Mistake: x!', 'errors have names of their own');
function Old() {}
Old.prototype = Object.create(Array.prototype);
Old.prototype.constructor = Old;
Old.prototype.toString = () => 'old';
check(`${new Old()}` === 'old' && new Old().constructor === Old, 'old classes');
const f = () => {};
f.toString = () => 'f';
check(`${f}` === 'f', 'functions have properties');
check({}.constructor === Object && [].constructor === Array && `${{}}` === '[object Object]', 'what was there is there');
check(new (class D extends Date {})() instanceof Date && Date.length === 7, 'Date');
console.mine = 1;
console.log({ a: 1 }, new Mistake('y').name, [], new Map());

check(Object.keys(tools).join() === 'one' && 'one' in tools && !('two' in tools), 'a group tells what it has');
check(tools.then === undefined && tools[Symbol.iterator] === undefined, 'it is no promise');
refused(() => { tools.one = 1; }, 'another function');
refused(() => { tools.two = 1; }, 'a new function');
refused(() => { tools = 1; }, 'another group');
refused(() => { tools.one.x = 1; }, 'a property of a function');
check(tools.one() instanceof Promise, 'a promise');
check(typeof tools.two.three === 'function' && tools.two.three(1, 'x') instanceof Promise, 'an unknown function');
return checks;
