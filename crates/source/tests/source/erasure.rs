//! Types become white space; nothing around them is joined or split.

use crate::imported;

/// `before` becomes `after`, and lines and columns stay.
fn blanked(before: &str, after: &str) {
    assert_eq!(imported(before), after);
    assert_eq!(before.len(), after.len(), "{before}");
    assert_eq!(before.encode_utf16().count(), after.encode_utf16().count(), "{before}");
}

#[test]
fn annotations_are_blanked() {
    blanked("let a: number = 1, b: string", "let a         = 1, b        ");
    blanked("const { a, b }: { a: A; b: B } = c", "const { a, b }                 = c");
    blanked("function f(a: A, b?: B, ...c: C[]): D {}", "function f(a   , b    , ...c     )    {}");
    blanked("try {} catch (e: unknown) {}", "try {} catch (e         ) {}");
    blanked("let a!: number", "let a         ");
}

#[test]
fn expressions_lose_their_types() {
    blanked("a as B as C", "a          ");
    blanked("a satisfies B", "a            ");
    blanked("<A>b + <B<C>>c", "   b +       c");
    blanked("a!.b![c!]!()", "a .b [c ] ()");
    blanked("a?.b!.c", "a?.b .c");
    blanked("f<A[], B>(c)", "f        (c)");
    blanked("new F<A[]>(c)", "new F     (c)");
    blanked("f<A[]>`b`", "f     `b`");
    blanked("const g = f<A>;", "const g = f   ;");
    blanked("(a as any).b = 1", "(a       ).b = 1");
    blanked("[a as any] = b", "[a       ] = b");
}

#[test]
fn functions_lose_their_types() {
    blanked("const f = <T,>(a: T): T => a", "const f =     (a   )    => a");
    blanked("async <T>(a: T) => a", "async    (a   ) => a");
    blanked("function f<T extends A = B>(this: T, a: A) {}", "function f                 (         a   ) {}");
    blanked("function f(this: T) {}", "function f(       ) {}");
    blanked("const f = (a: A): a is B => c", "const f = (a   )         => c");
    blanked("function f(a: A): asserts a is B {}", "function f(a   )                 {}");
    blanked(
        "({ m<T>(this: A): B {}, get g(): C { return 1 } })",
        "({ m   (       )    {}, get g()    { return 1 } })",
    );
}

#[test]
fn classes_lose_their_types() {
    blanked("class A<T> extends B<T> implements C, D<E> {}", "class A    extends B                       {}");
    blanked("abstract class A {}", "         class A {}");
    blanked("export abstract class A {}", "export          class A {}");
    blanked("const A = class implements B {}", "const A = class              {}");
    blanked(
        "class A { private a?: B; readonly c!: D; d: E = 1 }",
        "class A {         a    ;          c    ; d    = 1 }",
    );
    blanked(
        "class A { protected override async m?(): B {} }",
        "class A {                    async m ()    {} }",
    );
    blanked("class A { public static readonly x = 1 }", "class A {        static          x = 1 }");
    blanked("class A { private constructor() {} }", "class A {         constructor() {} }");
}

#[test]
fn statements_and_members_that_are_types_leave_a_semicolon() {
    blanked("type A = B\nc()", ";         \nc()");
    blanked("interface A { b: C }", ";                   ");
    blanked("declare const a: B;", ";                  ");
    blanked("declare function f(): void", ";                         ");
    blanked("declare class A { b }", ";                    ");
    blanked("declare enum A { B }", ";                   ");
    blanked("declare module 'a' { }", ";                     ");
    blanked("declare global { }", ";                 ");
    blanked("declare namespace A { const b: C }", ";                                 ");
    blanked("namespace A { export type B = C }", ";                                ");
    blanked("function f(a: A): B; function f(a) {}", ";                    function f(a) {}");
    blanked(
        "class A { [k: string]: B; declare c: D; abstract e }",
        "class A { ;               ;             ;          }",
    );
    blanked(
        "class A { m(): B; m() {} constructor(a: A); constructor() {} }",
        "class A { ;       m() {} ;                  constructor() {} }",
    );
}

#[test]
fn types_among_imports_and_exports_are_blanked() {
    blanked("import type A from 'a'", ";                     ");
    blanked("import { type A, b, type C } from 'a'", "import {         b,        } from 'a'");
    blanked("import { type A } from 'a'", ";                         ");
    blanked("import d, { type A } from 'a'", "import d, {        } from 'a'");
    blanked("export type { A }; export type * from 'a'", ";                  ;                     ");
    blanked("export { type A, b }; let b = 1 as any", "export {         b }; let b = 1       ");
    blanked("export interface A {}", ";                    ");
    blanked("export default interface A {}", ";                            ");
}

#[test]
fn an_import_that_only_types_use_stays_unless_it_says_type() {
    blanked("import { A } from 'a'; let b: A", "import { A } from 'a'; let b   ");
}

#[test]
fn a_type_that_is_not_ascii_keeps_the_columns() {
    blanked("let a: 'é字😀' = 1", "let a   \u{a0}\u{3000}\u{a0}\u{a0}  = 1");
}

#[test]
fn lines_in_types_stay() {
    blanked("let a: {\r\n  b: C\n} = d", "let a   \r\n      \n  = d");
    blanked("type A =\n  | B // c\n  | D", ";       \n          \n     ");
}

#[test]
fn a_line_that_ended_with_a_type_is_not_continued_by_the_next() {
    blanked("let a = b as C\n[d].e()", "let a = b;    \n[d].e()");
    blanked("let a = b satisfies C // d\n(e)()", "let a = b;            // d\n(e)()");
    blanked("a as B\n`c`", "a;    \n`c`");
    blanked("const a: A = f<A[]>\n(b)()", "const a    = f     \n(b)()");
    blanked("class A { a = b as C\n  [d] = e }", "class A { a = b;    \n  [d] = e }");
    blanked("class A { a = 1\n  public [b] = 2 }", "class A { a = 1\n  ;      [b] = 2 }");
    blanked("class A { a = 1\n  private *b() {} }", "class A { a = 1\n  ;       *b() {} }");
    blanked("class A { a = 1\n  readonly in = 2 }", "class A { a = 1\n  ;        in = 2 }");
    blanked("class A { get: B\n  c() {} }", "class A { get;  \n  c() {} }");
}

#[test]
fn a_type_with_a_line_end_ends_no_statement() {
    assert_eq!(imported("() => { return <\nA>b }"), "() => { return (\n  b) }");
    blanked("() => { return <\nT>(a) => a }", "() => { return (\n   a) => a }");
    blanked("const f = async <\nT>(a) => a", "const f = async (\n   a) => a");
    blanked("const f = (a): A<\nB> => a", "const f = (a     \n ) => a");
    assert_eq!(imported("const f = (a): A |\n字 => a"), "const f = (a      \n) => a");
}

#[test]
fn a_valid_name_in_javascript_is_no_modifier() {
    let text = "let type = 1, as = 2, declare, module, namespace, abstract, readonly\ntype\ndeclare";
    assert_eq!(imported(text), text);
    blanked("let type: A = 1; type\nas as B", "let type    = 1; type\nas     ");
}
