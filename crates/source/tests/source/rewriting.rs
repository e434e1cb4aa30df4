//! What has a meaning at run time is rewritten where it stands.

use crate::{imported, refused};

#[test]
fn an_enum_is_a_function_that_fills_an_object() {
    assert_eq!(
        imported("enum A { X = 1, Y, Z = \"z\" }"),
        "var A; (function (A) { A[A[\"X\"] = 1] = \"X\";  A[A[\"Y\"] = 2] = \"Y\";  A[\"Z\"] = \"z\"; })(A || (A = {}));"
    );
}

#[test]
fn enum_members_refer_to_each_other() {
    assert_eq!(
        imported("enum A { X = 1, Y = X << 2, Z, 'w w' = f({ X }), }"),
        "var A; (function (A) { A[A[\"X\"] = 1] = \"X\";  A[A[\"Y\"] = A.X << 2] = \"Y\";  A[A[\"Z\"] = 5] = \"Z\";  \
         A[A['w w'] = f({ X: A.X })] = 'w w';  })(A || (A = {}));"
    );
}

#[test]
fn texts_in_enums_have_no_way_back() {
    assert_eq!(
        imported("const p = 'p'; const enum A { X = `x`, Y = `${X}y`, Z = p + 1, W = 'w'.length }"),
        "const p = 'p'; var A; (function (A) { A[\"X\"] = `x`;  A[\"Y\"] = `${A.X}y`;  A[\"Z\"] = p + 1;  \
         A[A[\"W\"] = 'w'.length] = \"W\"; })(A || (A = {}));"
    );
}

#[test]
fn enums_keep_their_lines() {
    assert_eq!(
        imported("export enum A {\n  X, // first\n  Y =\n    2,\n}\n"),
        "export var A; (function (A) {\n  A[A[\"X\"] = 0] = \"X\";  // first\n  A[A[\"Y\"] = \n2] = \"Y\"; \n})(A || (A = {}));\n"
    );
}

#[test]
fn a_second_enum_adds_to_the_first() {
    assert_eq!(
        imported("enum A { X } enum A { Y = X + 1 }"),
        "var A; (function (A) { A[A[\"X\"] = 0] = \"X\"; })(A || (A = {})); \
         (function (A) { A[A[\"Y\"] = A.X + 1] = \"Y\"; })(A || (A = {}));"
    );
}

#[test]
fn an_enum_in_a_block_belongs_to_the_block() {
    assert_eq!(
        imported("function f() { enum A { X } }"),
        "function f() { let A; (function (A) { A[A[\"X\"] = 0] = \"X\"; })(A || (A = {})); }"
    );
}

#[test]
fn a_member_behind_an_unknown_one_needs_a_value() {
    let error = refused("enum A { X = f(), Y }");
    assert_eq!(error.code(), "SOURCE_UNSUPPORTED");
    assert_eq!(error.position().map(|place| (place.line, place.column)), Some((1, 19)));
}

#[test]
fn a_namespace_is_a_function_that_fills_an_object() {
    assert_eq!(
        imported("namespace N { export const x = 1; const y = 2; export function f() {} }"),
        "var N; (function (N) {        const x = 1; N.x = x; const y = 2;        function f() {} N.f = f; })(N || (N = {}));"
    );
}

#[test]
fn an_exported_variable_that_can_change_is_shared() {
    assert_eq!(
        imported("namespace N { export let x = 1 }"),
        "var N; (function (N) {        let x = 1; Object.defineProperty(N, \"x\", { enumerable: true, configurable: true, \
         get: () => x, set: value => { x = value; } }); })(N || (N = {}));"
    );
}

#[test]
fn namespaces_nest() {
    assert_eq!(
        imported("export namespace A.B { export enum C { D } }"),
        "export var A; (function (A) { let B; (function (B) { let C; (function (C) { C[C[\"D\"] = 0] = \"D\"; })\
         (C = B.C || (B.C = {})); })(B = A.B || (A.B = {})); })(A || (A = {}));"
    );
}

#[test]
fn a_second_block_of_a_namespace_sees_what_the_first_exports() {
    assert_eq!(
        imported(
            "namespace N { export const x = 1 } namespace N { const y = { x }, z = (x: A) => x, w = x }"
        ),
        "var N; (function (N) {        const x = 1; N.x = x; })(N || (N = {})); \
         (function (N) { const y = { x: N.x }, z = (x   ) => x, w = N.x })(N || (N = {}));"
    );
}

#[test]
fn a_namespace_adds_to_a_class_or_function_of_its_name() {
    assert_eq!(
        imported("class A {} namespace A { export const x = 1 }"),
        "class A {} (function (A) {        const x = 1; A.x = x; })(A || (A = {}));"
    );
}

#[test]
fn a_namespace_that_declares_its_own_name_goes_by_another() {
    assert_eq!(
        imported("namespace A { export class A {} }"),
        "var A; (function (A_) {        class A {} A_.A = A; })(A || (A = {}));"
    );
}

#[test]
fn parameter_properties_are_fields_that_the_constructor_sets() {
    assert_eq!(
        imported("class A { c = 1; constructor(private a: B, readonly b = 2, d?: E) { f() } }"),
        "class A { a; b; c = 1; constructor(        a   ,          b = 2, d    ) { this.a = a; this.b = b; f() } }"
    );
}

#[test]
fn parameter_properties_wait_for_super() {
    assert_eq!(
        imported("class A extends B { constructor(public a) { 'use x'; g(); super()\nf() } }"),
        "class A extends B { a; constructor(       a) { 'use x'; g(); super(); this.a = a;\nf() } }"
    );
    assert_eq!(
        refused("class A extends B { constructor(public a) { if (a) super() } }").code(),
        "SOURCE_UNSUPPORTED"
    );
}

#[test]
fn aliases_are_constants_unless_only_types_use_them() {
    assert_eq!(imported("import a = B.C; a()"), "const a = B.C; a()");
    assert_eq!(imported("import a = B.C; let d: a.E"), ";               let d     ");
    assert_eq!(imported("import a = require('m'); a()"), "import * as a from 'm'; a()");
    assert_eq!(imported("import type a = require('m')"), ";                           ");
}

#[test]
fn export_assignment_is_refused() {
    let error = refused("const a: A = 1;\nexport = a");
    assert_eq!(error.code(), "SOURCE_UNSUPPORTED");
    assert_eq!(
        error.to_string(),
        "`export =` belongs to CommonJS (line 2, column 1)\n  |\n2 | export = a\n  | ^^^^^^^^^^\n\
         hint: write `export default` instead"
    );
}
