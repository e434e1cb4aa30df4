//! Hostile nests at the JavaScript stack size that runs have: each ends in a value, a catchable `RangeError`
//! or at the memory limit; none traps.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{drive, engine, started};
use intermission_engine::{Start, Stop};

const NESTS: &[(&str, &str)] = &[
    ("plain recursion", "let d=0; function f(){d++; f()} f()"),
    (
        "ten arguments",
        "function f(a,b,c,g,h,i,j,k,l,m){return f(a,b,c,g,h,i,j,k,l,m)+1} f(1,2,3,4,5,6,7,8,9,10)",
    ),
    ("through Array.map", "function f(){[1].map(f)} f()"),
    ("through toString", "const p={toString(){return ''+p}}; ''+p"),
    ("through a getter and Reflect", "const p={get x(){return Reflect.get(p,'x')}}; p.x"),
    ("JSON.parse", "JSON.parse('['.repeat(200000))"),
    ("JSON.parse of objects", "JSON.parse('{\"a\":'.repeat(200000))"),
    ("JSON.stringify", "let o=[];for(let i=0;i<200000;i++)o=[o]; JSON.stringify(o).length"),
    ("the parser, (", "eval('('.repeat(100000)+'1'+')'.repeat(100000))"),
    ("the parser, [", "eval('['.repeat(100000)+']'.repeat(100000))"),
    ("the parser, {", "eval('{'.repeat(100000)+'}'.repeat(100000))"),
    ("the parser, unary", "eval('- '.repeat(100000)+'1')"),
    ("the parser, arrows", "eval('a=>'.repeat(100000)+'1')"),
    ("the parser, templates", "eval('`${'.repeat(100000)+'1'+'}`'.repeat(100000))"),
    ("the parser, if", "eval('if(1)'.repeat(100000)+'1')"),
    ("the parser, functions", "eval('function f(){'.repeat(20000)+'}'.repeat(20000))"),
    ("the parser, classes", "eval('(class{m(){'.repeat(20000)+'}})'.repeat(20000))"),
    ("the parser, destructuring", "eval('let ['+'['.repeat(100000)+'x'+']'.repeat(100000)+'] = []')"),
    ("the parser, ternaries", "eval('a?'.repeat(100000)+'1'+':1'.repeat(100000))"),
    ("the parser, async arrows", "eval('async()=>'.repeat(100000)+'1')"),
    ("a regular expression", "new RegExp('('.repeat(100000)+')'.repeat(100000)).source.length"),
    ("a regular expression, lookahead", "new RegExp('(?='.repeat(100000)+')'.repeat(100000)).source.length"),
    ("a regular expression, classes", "new RegExp('['.repeat(100000)+']'.repeat(100000), 'v').source.length"),
    ("backtracking", "/(a+)+b/.test('a'.repeat(18))"),
    (
        "a proxy that is its own prototype",
        "class F{m(){}} const c=new F(); var X=new Proxy(c.m,{}); X['__proto__']=X; X++",
    ),
    ("proxies of proxies", "let p={}; for(let i=0;i<100000;i++) p=new Proxy(p,{}); p.x"),
    ("proxies of proxies, called", "let p=()=>1; for(let i=0;i<100000;i++) p=new Proxy(p,{}); p()"),
    ("a comparator", "function f(){[2,1].sort(f); return 0} f()"),
    ("bound functions", "let f=()=>1; for(let i=0;i<100000;i++) f=f.bind(null); f()"),
    ("generators", "function* g(){yield* g()} [...g()]"),
    ("constructors", "class A{constructor(){new A()}} new A()"),
    ("apply", "function f(){f.apply(null,[1,2,3])} f()"),
    ("a replace callback", "function f(){return 'a'.replace(/a/,f)} f()"),
    ("a long chain of prototypes", "let o={}; for(let i=0;i<100000;i++) o=Object.create(o); o.x"),
    ("structuredClone", "let o=[];for(let i=0;i<200000;i++)o=[o]; structuredClone(o)"),
    ("console.log", "let o=[];for(let i=0;i<200000;i++)o=[o]; console.log(o)"),
    ("flat", "let o=[];for(let i=0;i<200000;i++)o=[o]; o.flat(Infinity).length"),
    ("an array's toString", "let o=[];for(let i=0;i<200000;i++)o=[o]; String(o)"),
    (
        "instanceof through bound functions",
        "let f=function(){}; for(let i=0;i<100000;i++) f=f.bind(null); ({}) instanceof f",
    ),
    (
        "a promise of promises",
        "let p=Promise.resolve(1); for(let i=0;i<100000;i++){const q=p; p={then(r){r(q)}}} await p",
    ),
    (
        "causes of errors",
        "let e=new Error('x'); for(let i=0;i<100000;i++) e=new Error('y',{cause:e}); throw e",
    ),
    ("a value to send", "let o=[];for(let i=0;i<200000;i++)o=[o]; return o"),
];

#[test]
fn no_nest_traps() {
    let engine = engine();
    let mut trapped = Vec::new();
    for (what, text) in NESTS {
        let ran = drive(started(&engine, Start { allow_eval: true, ..Start::function_body(text) }));
        if let Err(stop @ Stop::Trapped(_)) = ran.end {
            trapped.push((what, stop));
        }
    }
    assert!(trapped.is_empty(), "{trapped:?}");
}
