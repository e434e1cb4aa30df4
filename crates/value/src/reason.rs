//! Why bytes are refused.

use std::fmt;

/// Why bytes are not the one form of a value.
///
/// The code is stable: it is the same in every language, and `conformance/vectors` has an example of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// They end before the value does, or a head claims more than is left.
    Truncated,
    /// They go on behind the value.
    TrailingBytes,
    /// A head that CBOR keeps for later (RFC 8949, 3: additional information 28 to 30).
    ReservedHead,
    /// An indefinite length, or a break.
    IndefiniteLength,
    /// A length, an integer or a tag in more bytes than needed.
    LongHead,
    /// A float that a shorter one would keep.
    LongFloat,
    /// An integer of the safe range written as a float.
    IntegerFloat,
    /// A NaN other than `f97e00`.
    NanBits,
    /// A Number outside of the safe range written as an integer.
    UnsafeInteger,
    /// A simple value that is not of the profile.
    UnknownSimple,
    /// A tag that is not of the profile.
    UnknownTag,
    /// A tag over something that it does not stand over.
    TagContent,
    /// A BigInt that begins with a zero byte.
    BignumZeros,
    /// A text string that is not UTF-8.
    InvalidUtf8,
    /// A string under tag 273 that is not WTF-8.
    InvalidWtf8,
    /// A string under tag 273 without a lone surrogate.
    NeedlessWtf8,
    /// A hole outside of an array.
    MisplacedHole,
    /// An object's key that is not a string.
    KeyType,
    /// An array index as a key behind a greater one, or behind another string.
    KeyOrder,
    /// The same key twice, in an object or a Map.
    DuplicateKey,
    /// The same member twice in a Set.
    DuplicateMember,
    /// `-0` as a Map's key or a Set's member.
    NegativeZero,
    /// A Date out of range, or of no whole milliseconds.
    InvalidDate,
    /// A RegExp's text that no RegExp gives.
    InvalidRegexp,
    /// A view on a shared buffer of no known kind.
    ViewKind,
    /// A view whose length or offset is not a multiple of its element's size.
    ViewAlignment,
    /// A view that reaches beyond its buffer.
    ViewBounds,
    /// A shared buffer of which more is sent than its views cover, though it is not itself in the value.
    ViewSpan,
    /// An Error's fields out of order, missing, unknown or of the wrong type.
    ErrorFields,
    /// Something shared that is not an object, or shared twice over.
    ShareTarget,
    /// Something shared to which nothing refers later.
    UnusedShare,
    /// A reference to an index that is not there yet.
    UnknownReference,
    /// A reference where an object of that kind cannot stand.
    ReferenceTarget,
    /// More than [`MAX_DEPTH`](crate::MAX_DEPTH) containers inside each other.
    TooDeep,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 34] = [
        Self::Truncated,
        Self::TrailingBytes,
        Self::ReservedHead,
        Self::IndefiniteLength,
        Self::LongHead,
        Self::LongFloat,
        Self::IntegerFloat,
        Self::NanBits,
        Self::UnsafeInteger,
        Self::UnknownSimple,
        Self::UnknownTag,
        Self::TagContent,
        Self::BignumZeros,
        Self::InvalidUtf8,
        Self::InvalidWtf8,
        Self::NeedlessWtf8,
        Self::MisplacedHole,
        Self::KeyType,
        Self::KeyOrder,
        Self::DuplicateKey,
        Self::DuplicateMember,
        Self::NegativeZero,
        Self::InvalidDate,
        Self::InvalidRegexp,
        Self::ViewKind,
        Self::ViewAlignment,
        Self::ViewBounds,
        Self::ViewSpan,
        Self::ErrorFields,
        Self::ShareTarget,
        Self::UnusedShare,
        Self::UnknownReference,
        Self::ReferenceTarget,
        Self::TooDeep,
    ];

    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::TrailingBytes => "trailing-bytes",
            Self::ReservedHead => "reserved-head",
            Self::IndefiniteLength => "indefinite-length",
            Self::LongHead => "long-head",
            Self::LongFloat => "long-float",
            Self::IntegerFloat => "integer-float",
            Self::NanBits => "nan-bits",
            Self::UnsafeInteger => "unsafe-integer",
            Self::UnknownSimple => "unknown-simple",
            Self::UnknownTag => "unknown-tag",
            Self::TagContent => "tag-content",
            Self::BignumZeros => "bignum-zeros",
            Self::InvalidUtf8 => "invalid-utf8",
            Self::InvalidWtf8 => "invalid-wtf8",
            Self::NeedlessWtf8 => "needless-wtf8",
            Self::MisplacedHole => "misplaced-hole",
            Self::KeyType => "key-type",
            Self::KeyOrder => "key-order",
            Self::DuplicateKey => "duplicate-key",
            Self::DuplicateMember => "duplicate-member",
            Self::NegativeZero => "negative-zero",
            Self::InvalidDate => "invalid-date",
            Self::InvalidRegexp => "invalid-regexp",
            Self::ViewKind => "view-kind",
            Self::ViewAlignment => "view-alignment",
            Self::ViewBounds => "view-bounds",
            Self::ViewSpan => "view-span",
            Self::ErrorFields => "error-fields",
            Self::ShareTarget => "share-target",
            Self::UnusedShare => "unused-share",
            Self::UnknownReference => "unknown-reference",
            Self::ReferenceTarget => "reference-target",
            Self::TooDeep => "too-deep",
        }
    }

    /// What is wrong, in words.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Truncated => "the bytes end before the value does",
            Self::TrailingBytes => "there are bytes behind the value",
            Self::ReservedHead => "the head is reserved by CBOR",
            Self::IndefiniteLength => "the length must be definite",
            Self::LongHead => "the head is longer than needed",
            Self::LongFloat => "a shorter float keeps the value",
            Self::IntegerFloat => "an integer of the safe range must not be a float",
            Self::NanBits => "NaN must be f97e00",
            Self::UnsafeInteger => "an integer beyond the safe range must be a float or a BigInt",
            Self::UnknownSimple => "the simple value has no meaning here",
            Self::UnknownTag => "the tag has no meaning here",
            Self::TagContent => "the tag does not stand over what follows it",
            Self::BignumZeros => "a BigInt must not begin with a zero byte",
            Self::InvalidUtf8 => "the text is not UTF-8",
            Self::InvalidWtf8 => "the string is not WTF-8",
            Self::NeedlessWtf8 => "a string without lone surrogates must be a text string",
            Self::MisplacedHole => "a hole stands outside of an array",
            Self::KeyType => "an object's key must be a string",
            Self::KeyOrder => "array indices must come first, ascending",
            Self::DuplicateKey => "the key is there already",
            Self::DuplicateMember => "the member is there already",
            Self::NegativeZero => "a Map's key or a Set's member is never -0",
            Self::InvalidDate => "no Date has this time",
            Self::InvalidRegexp => "no RegExp has this text",
            Self::ViewKind => "no view has this kind",
            Self::ViewAlignment => "offset and length must be multiples of the element's size",
            Self::ViewBounds => "the view reaches beyond its buffer",
            Self::ViewSpan => "the shared buffer must be just what its views cover",
            Self::ErrorFields => {
                "an Error has name, message, cause, errors, code, in this order and each of its type"
            }
            Self::ShareTarget => "only an object can be shared, and only once",
            Self::UnusedShare => "nothing refers to what is shared",
            Self::UnknownReference => "the reference is to nothing that came before",
            Self::ReferenceTarget => "what is referred to can't stand here",
            Self::TooDeep => "there are more than 1000 containers inside each other",
        }
    }
}

/// The code.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}
