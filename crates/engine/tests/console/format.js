// Format specifiers, groups, counters.
const values = ['s', 1, -0, 1.5, '1.9', 12n, Symbol('q'), null, undefined, true, { a: 1, b: { c: { d: {} } } }, [1, [2, [3, [4]]]], () => 1, class A {}, new Date(0), NaN, '', new Map([[1, 2]]),
  new Number(5), '0x10', '1e3', 'abc', { toString() { return 'TS'; } }, new (class P { toString() { return 'P!'; } })(), [], Infinity, new URL('https://a/')];
for (const specifier of ['%s', '%d', '%i', '%f', '%O', '%c', '%%', '%x', 'a%sb', '%s %s', '%', '%%s', '%s%', '100% %d']) {
  for (const value of values) console.log(specifier, value);
}
console.log('%j %j %j', { a: [1] }, 'x', null);
console.log();
console.log('');
console.log('a', 'b', 1);
console.log(1, 'a', { b: 'c' });
console.log('%s is %d years and %i, %f, %j %O %%', 'Bob', 42.5, 42.9, '3.5x', { a: [1] }, { x: { y: { z: { w: 1 } } } }, 'extra', { e: 1 });
console.log('%c styled', 'color:red');
console.log('a%');
console.log('%s');
console.log('%%');
console.log('%%', 1);
console.log('%d %d', 1);
console.info('info');
console.debug('debug');
console.group('outer');
console.log('in\nside');
console.group();
console.log({ a: 1, b: 'x'.repeat(80) });
console.groupEnd();
console.log('back');
console.groupEnd();
console.groupEnd();
console.log('out');
console.groupCollapsed('collapsed');
console.table([{ a: 1 }]);
console.groupEnd();
console.count();
console.count();
console.count('x');
console.countReset();
console.count();
console.dir({ a: { b: { c: { d: 1 } } } }, { depth: 0 });
console.dir({ a: { b: { c: { d: { e: 1 } } } } }, { depth: null });
console.dirxml({ a: 1 }, [2]);
