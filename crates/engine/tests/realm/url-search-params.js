// URLSearchParams: https://url.spec.whatwg.org/#interface-urlsearchparams
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
const text = (init) => new URLSearchParams(init).toString();

// What it is made of.
is(text(), '', 'nothing');
is(text(''), '', 'an empty string');
is(text('?a=1&b'), 'a=1&b=', 'a string with a question mark');
is(text('??a=1'), '%3Fa=1', 'only one question mark goes');
is(text('a=b=c&&=d&%41=%zz%4'), 'a=b%3Dc&=d&A=%25zz%254', 'odd strings');
is(text({ a: 1, b: 'x y', c: undefined }), 'a=1&b=x+y&c=undefined', 'a record');
is(text([['a', '1'], ['a', '2']]), 'a=1&a=2', 'pairs');
is(text(new Map([['k', 'v']])), 'k=v', 'a map');
is(text(new URLSearchParams('a=1&a=2')), 'a=1&a=2', 'another one');
is(text((function* () { yield ['g', 1]; })()), 'g=1', 'any iterable of pairs');
is(text(null), 'null=', 'null is a string');
is(text(5), '5=', 'a number is a string');
throwsTypeError(() => new URLSearchParams([['a']]), 'a pair needs two');
throwsTypeError(() => new URLSearchParams([['a', 'b', 'c']]), 'a pair has only two');
throwsTypeError(() => new URLSearchParams([1]), 'a number is no pair');
throwsTypeError(() => URLSearchParams(), 'new is needed');

// The encoding.
is(text({ 'a b': 'é€😀' }), 'a+b=%C3%A9%E2%82%AC%F0%9F%98%80', 'UTF-8');
is(text({ x: "-_.*~!'()%+&=#" }), 'x=-_.*%7E%21%27%28%29%25%2B%26%3D%23', 'what is left as it is');
is(text({ x: '\ud800' }), 'x=%EF%BF%BD', 'a lone surrogate');
is(new URLSearchParams('x=%C3%A9+%E2%82%AC%2B').get('x'), 'é €+', 'decoding');
is(new URLSearchParams('x=%FF').get('x'), '\ufffd', 'what is no UTF-8');
is(new URLSearchParams('%EF%BB%BFx=1').get('\ufeffx'), '1', 'a byte order mark stays');

// Reading and writing.
const parameters = new URLSearchParams('a=1&b=2&a=3');
is(parameters.size, 3, 'size');
is(parameters.get('a'), '1', 'get');
is(parameters.get('z'), null, 'get of none');
is(JSON.stringify(parameters.getAll('a')), '["1","3"]', 'getAll');
is(JSON.stringify(parameters.getAll('z')), '[]', 'getAll of none');
is(Array.isArray(parameters.getAll('a')) && Object.getPrototypeOf(parameters.getAll('a')) === Array.prototype, true, 'getAll gives an array');
is(parameters.has('a'), true, 'has');
is(parameters.has('a', '3'), true, 'has with its value');
is(parameters.has('a', '2'), false, 'has with another value');
is(parameters.has('b', undefined), true, 'undefined is no value');
parameters.append('c', undefined);
is(parameters.get('c'), 'undefined', 'append makes strings');
parameters.set('a', 9);
is(String(parameters), 'a=9&b=2&c=undefined', 'set keeps the first place and drops the others');
parameters.set('d', '4');
is(String(parameters), 'a=9&b=2&c=undefined&d=4', 'set of a new one');
parameters.append('b', '5');
parameters.delete('b', '2');
is(String(parameters), 'a=9&c=undefined&d=4&b=5', 'delete with a value');
parameters.delete('b');
is(String(parameters), 'a=9&c=undefined&d=4', 'delete');
throwsTypeError(() => parameters.append('x'), 'append needs two');
throwsTypeError(() => parameters.get(), 'get needs one');

// Sorting: by code units, stable.
const sorted = new URLSearchParams([['z', 1], ['\ufb03', 2], ['🌈', 3], ['a', 4], ['z', 5], ['', 6]]);
sorted.sort();
is([...sorted.values()].join(), '6,4,1,5,3,2', 'sort');

// Iteration, which sees changes.
is(JSON.stringify([...new URLSearchParams('a=1&b=2')]), '[["a","1"],["b","2"]]', 'entries');
is([...new URLSearchParams('a=1&b=2').keys()].join(), 'a,b', 'keys');
is([...new URLSearchParams('a=1&b=2').values()].join(), '1,2', 'values');
is(JSON.stringify(Object.fromEntries(new URLSearchParams('a=1&b=2'))), '{"a":"1","b":"2"}', 'fromEntries');
const growing = new URLSearchParams('a=1');
let steps = 0;
for (const [name] of growing) {
  steps += 1;
  if (steps < 4) growing.append(`${name}+`, '');
}
is(steps, 4, 'a live iterator');
const iterator = new URLSearchParams('a=1').entries();
is(iterator[Symbol.iterator](), iterator, 'an iterator iterates itself');
is(Object.prototype.toString.call(iterator), '[object URLSearchParams Iterator]', 'the iterator has a tag');
is(JSON.stringify(iterator.next()), '{"value":["a","1"],"done":false}', 'next');
is(iterator.next().done, true, 'the end');
is(iterator.next().done, true, 'stays the end');
throwsTypeError(() => iterator.next.call({}), 'next is for these iterators');
is(iterator.constructor, Object.getPrototypeOf(Object.getPrototypeOf(iterator)).constructor, 'no constructor of its own');
const seen = [];
parameters.forEach(function (value, name, of) {
  seen.push(this.mark, value, name, of === parameters);
}, { mark: 'm' });
is(seen.slice(0, 4).join(), 'm,9,a,true', 'forEach');
throwsTypeError(() => parameters.forEach(1), 'forEach needs a function');
is(URLSearchParams.prototype[Symbol.iterator], URLSearchParams.prototype.entries, 'entries is the iterator');
throwsTypeError(() => URLSearchParams.prototype.get.call({}, 'a'), 'get is for URLSearchParams');
return checks;
