// localeCompare, as people sort.
let checks = 0;
const is = (got, expected, what) => {
  checks += 1;
  if (!Object.is(got, expected)) throw new Error(`${what}: ${String(got)} in place of ${String(expected)}`);
};
const sorted = (words, options) => [...words].sort((a, b) => a.localeCompare(b, 'en-US', options)).join(' ');

is(sorted(['b', 'A', 'a', 'B', 'ä', 'Z', 'z', 'é', 'e', 'f', '10', '9', '1', '_x', '-y', '.z']), '_x -y .z 1 10 9 a A ä b B e é f z Z', 'letters, accents, case');
is(sorted(['resume', 'Resume', 'résumé', 'Résumé', 'resumes']), 'resume Resume résumé Résumé resumes', 'accents count before case');
is(sorted(['file10', 'file9', 'File1', 'file02'], { numeric: true, sensitivity: 'base' }), 'File1 file02 file9 file10', 'numbers');
is(sorted(['b', 'B', 'a', 'A'], { caseFirst: 'upper' }), 'A a B b', 'capitals first');
is(sorted(['$', '€', '9', 'a', '~', ' ', '!', '+']), '  ! + ~ $ € 9 a', 'spaces, punctuation, symbols, currencies, digits, letters');
is(sorted(['я', 'б', 'α', 'z', 'Б', '日']), 'z α б Б я 日', 'scripts');

for (const [a, b, options, expected] of [
  ['a', 'b', undefined, -1],
  ['b', 'a', undefined, 1],
  ['a', 'a', undefined, 0],
  ['', 'a', undefined, -1],
  ['a', 'A', undefined, -1],
  ['a', 'A', { sensitivity: 'base' }, 0],
  ['a', 'á', { sensitivity: 'base' }, 0],
  ['a', 'á', { sensitivity: 'accent' }, -1],
  ['a', 'A', { sensitivity: 'accent' }, 0],
  ['a', 'A', { sensitivity: 'case' }, -1],
  ['a', 'á', { sensitivity: 'case' }, 0],
  ['é', 'e\u0301', undefined, 0],
  ['straße', 'strasse', { sensitivity: 'base' }, 0],
  ['æ', 'ae', { sensitivity: 'base' }, 0],
  ['a-b', 'ab', { ignorePunctuation: true }, 0],
  ['a10', 'a2', undefined, -1],
  ['a10', 'a2', { numeric: true }, 1],
  ['007', '7', { numeric: true }, 0],
  ['12345678901234567890123', '12345678901234567890124', { numeric: true }, -1],
  ['a\u0000b', 'ab', undefined, 0],
]) {
  is(a.localeCompare(b, undefined, options), expected, `${a} and ${b} ${JSON.stringify(options)}`);
}
for (const locales of ['de-DE', ['sv', 'en'], [], undefined]) is('ä'.localeCompare('z', locales), -1, `one order for ${locales}`);
for (const [run, name] of [[() => 'a'.localeCompare('b', null), 'TypeError'], [() => 'a'.localeCompare('b', 'en', { sensitivity: 'x' }), 'RangeError'], [() => String.prototype.localeCompare.call(null, 'a'), 'TypeError']]) {
  let error;
  try {
    run();
  } catch (caught) {
    error = caught;
  }
  is(error?.name, name, 'a refusal');
}
is('a'.localeCompare(), -1, 'nothing is "undefined"');
is((5).toString.call(5).localeCompare(5), 0, 'a number is a text');
is(String.prototype.localeCompare.length, 1, 'length');
is(String.prototype.localeCompare.name, 'localeCompare', 'name');
return checks;
