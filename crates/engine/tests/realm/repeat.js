// String.prototype.repeat, of which the guest has its own (guest/c/strings.c).
let checks = 0;
const is = (got, expected, what) => {
  checks += 1;
  if (!Object.is(got, expected)) throw new Error(`${what}: ${String(got)} in place of ${String(expected)}`);
};
const name = (run) => {
  try {
    run();
  } catch (error) {
    return error.name;
  }
  return 'no error';
};

for (const [text, times] of [['x', 2], ['ab', 3], ['é', 5], ['€', 4], ['a€b', 1000], ['\ud83d', 3], ['abc', 4097]]) {
  let expected = '';
  for (let n = 0; n < times; n++) expected += text;
  is(text.repeat(times), expected, `${text} ${times} times`);
  is(text.repeat(times).length, text.length * times, `the length of ${text} ${times} times`);
}
is('abc'.repeat(0), '', 'no times');
is('abc'.repeat(1), 'abc', 'once');
is(''.repeat(1e9), '', 'nothing, often');
is('ab'.repeat('2.9'), 'abab', 'a text as the count');
is('ab'.repeat(NaN), '', 'NaN');
is(String.prototype.repeat.call(12, 2), '1212', 'of a number');
is(('a' + 'b'.repeat(9000)).repeat(2).length, 18002, 'of a rope');
is(name(() => 'a'.repeat(-1)), 'RangeError', 'a negative count');
is(name(() => 'a'.repeat(Infinity)), 'RangeError', 'Infinity');
is(name(() => 'ab'.repeat(2 ** 30)), 'RangeError', 'a string too long');
is(name(() => String.prototype.repeat.call(null, 1)), 'TypeError', 'of null');
is(String.prototype.repeat.name, 'repeat', 'its name');
is(String.prototype.repeat.length, 1, 'its length');
const { writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(String.prototype, 'repeat');
is(`${writable} ${enumerable} ${configurable}`, 'true false true', 'its property');
return checks;
