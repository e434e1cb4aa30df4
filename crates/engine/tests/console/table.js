// console.table
console.table([{ a: 1, b: 'x' }, { a: 2, c: { d: { e: 1 } } }]);
console.table([1, 'a', [1, 2]]);
console.table(new Map([['a', 1], ['b', { x: 1 }]]));
console.table(new Set([1, 'b']));
console.table({ r1: { a: 1 }, r2: { a: 2 } });
console.table([{ a: 1, b: 2 }], ['b']);
console.table(5);
console.table([]);
console.table({});
console.table([[1, 2], [3]]);
console.table(new Map([[{ a: 1 }, { x: 1 }]]).entries());
console.table([{ a: '日本' }]);
console.table([[1, [2, 3]], { q: () => {} }]);
console.table([{ a: 1 }], ['zz']);
console.table(null);
console.table([{ 'a-b': 1, 1: 2 }, 5, null, undefined]);
console.table('abc');
console.table([{ a: [1, 2, 3, 4, 5], b: { x: 1, y: 2, z: 3 }, c: { x: 1, y: {} } }]);
