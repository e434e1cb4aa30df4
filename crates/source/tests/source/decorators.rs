//! Decorators and `accessor` fields, in JavaScript as in TypeScript.

use crate::{imported, refused};

/// The text without the function that stands behind it.
fn decorated(text: &str) -> String {
    let all = imported(text);
    let (own, helper) = all.split_once("\nfunction $decorate(").expect("the helper stands behind the text");
    assert!(helper.ends_with('}'));
    own.to_owned()
}

#[test]
fn a_decorated_class_is_what_its_decorators_make_of_it() {
    assert_eq!(
        decorated("@a @b(1) class C extends D {}"),
        "let C = $decorate([a ,b(1)], $class => { var C =  class   extends D { static { C = $class.apply(this, []); } \
         static { $class.finish(); } }; return C = $class.value; });"
    );
}

#[test]
fn a_decorator_of_a_method_stays_before_it() {
    assert_eq!(
        decorated("class C { @a static async m() {} }"),
        "let C = $decorate([], $class => { var C = class   { static { C = $class.apply(this, \
         [{ kind: \"method\", name: \"m\", static: true }]); } static [$class.of(a)]() {} static async m() {} }; \
         return C = $class.value; });"
    );
}

#[test]
fn a_decorated_field_runs_its_initialisers() {
    assert_eq!(
        decorated("class C { @a x: A = 1; @b y\n}"),
        "let C = $decorate([], $class => { var C = class   { static { C = $class.apply(this, \
         [{ kind: \"field\", name: \"x\" }, { kind: \"field\", name: \"y\" }]); } \
         static [$class.of(a)]() {} x    = $class.init(0, this, 1); #$class0 = $class.extra(0, this); \
         static [$class.of(b)]() {} y = $class.init(1, this); #$class1 = $class.extra(1, this);\n}; \
         return C = $class.value; });"
    );
}

#[test]
fn a_computed_name_is_computed_once() {
    let text = decorated("class C { @a [k]() {} }");
    assert!(text.contains("static [$class.of(a)]() {} [$class.key(0, k)]() {}"), "{text}");
}

#[test]
fn a_private_method_is_asked_for() {
    let text = decorated("class C { @a #m() {} }");
    assert!(text.contains(
        "static [$class.of(a)]() {} [$class.slot(0)]() {} get #m() { return $class.own(0).value; }"
    ));
}

#[test]
fn exports_keep_a_decorated_class() {
    assert!(decorated("export @a class C {}").starts_with("export let C = $decorate([a], "));
    assert!(
        decorated("@a export class C {}")
            .starts_with("export let C = $decorate([a], $class => { var C =         class")
    );
    let default = decorated("@a export default class C {}");
    assert!(default.starts_with("let C = $decorate([a], "), "{default}");
    assert!(default.ends_with("}); export { C as default };"), "{default}");
    assert!(decorated("export default @a class {}").starts_with("export default $decorate([a], "));
}

#[test]
fn an_accessor_is_a_pair_around_a_private_field() {
    assert_eq!(
        imported("class C { accessor x = 1; static accessor #y; }"),
        "class C { get x() { return this.#$value_1; } set x(value) { this.#$value_1 = value; } #$value_1 = 1; \
         static get #y() { return this.#$value_2; } static set #y(value) { this.#$value_2 = value; } static #$value_2; }"
    );
}

#[test]
fn names_that_are_put_in_are_none_of_the_text() {
    let text = imported("const $class = 1, $decorate = 2; @a class C {}");
    assert!(text.contains("let C = $decorate$([a], $class$ => {"), "{text}");
    assert!(text.contains("\nfunction $decorate$("), "{text}");
}

#[test]
fn a_decorator_on_a_parameter_is_refused() {
    let error = refused("class A { constructor(@a b: B) {} }");
    assert_eq!(error.code(), "SOURCE_UNSUPPORTED");
    assert_eq!(error.position().map(|place| place.column), Some(23));
}

#[test]
fn the_word_accessor_and_the_sign_are_not_enough() {
    for text in ["const accessor = '@a'; accessor.x", "// @ts-check\nlet accessor = class { accessor() {} }"]
    {
        assert_eq!(imported(text), text);
    }
}
