/* The numbers of the format: CBOR's major types (RFC 8949, 3.1), simple values, and the tags of docs/values.md. */

enum {
    MAJOR_UNSIGNED = 0,
    MAJOR_NEGATIVE = 1,
    MAJOR_BYTES = 2,
    MAJOR_TEXT = 3,
    MAJOR_ARRAY = 4,
    MAJOR_MAP = 5,
    MAJOR_TAG = 6,
    MAJOR_SIMPLE = 7,
};

/* Whole items of one byte, and the heads of floats. */
enum {
    FORM_HOLE = 0xe0,
    FORM_FALSE = 0xf4,
    FORM_TRUE = 0xf5,
    FORM_NULL = 0xf6,
    FORM_UNDEFINED = 0xf7,
    FORM_SIMPLE8 = 0xf8,
    FORM_FLOAT16 = 0xf9,
    FORM_FLOAT32 = 0xfa,
    FORM_FLOAT64 = 0xfb,
};

enum {
    TAG_DATE = 1,
    TAG_BIGINT = 2,
    TAG_BIGINT_NEGATIVE = 3,
    TAG_SHARED = 28,
    TAG_REFERENCE = 29,
    TAG_REGEXP = 35,
    TAG_SET = 258,
    TAG_MAP = 259,
    TAG_WTF8 = 273,
    TAG_NULL_PROTOTYPE = 40500,
    TAG_DATAVIEW = 40501,
    TAG_VIEW = 40502,
    TAG_ERROR = 40503,
};

enum { VALUE_DEPTH_MAX = 1000 };

static const uint8_t float16_nan[3] = { FORM_FLOAT16, 0x7e, 0x00 };

/* RFC 8746's tags in the order of the engine's classes, from JS_CLASS_UINT8C_ARRAY on. */
static const uint8_t typed_array_tags[JS_TYPED_ARRAY_COUNT] = { 68, 72, 64, 77, 69, 78, 70, 79, 71, 84, 85, 86 };

static uint32_t value_view_tag(JSClassID class_id)
{
    return class_id == JS_CLASS_DATAVIEW ? TAG_DATAVIEW : typed_array_tags[class_id - JS_CLASS_UINT8C_ARRAY];
}

/* The class of the view with that tag; 0 when there is none. */
static JSClassID value_view_class(uint64_t tag)
{
    if (tag == TAG_DATAVIEW)
        return JS_CLASS_DATAVIEW;
    for (int i = 0; i < JS_TYPED_ARRAY_COUNT; i++)
        if (typed_array_tags[i] == tag)
            return JS_CLASS_UINT8C_ARRAY + i;
    return 0;
}

/* The size of one element of a view, in bytes. */
static uint32_t value_view_element(JSClassID class_id)
{
    return class_id == JS_CLASS_DATAVIEW ? 1 : 1u << typed_array_size_log2(class_id);
}

/* Whether a Number is written as an integer: of the safe range, and not -0. */
static bool value_is_integer(double number)
{
    return is_safe_integer(number) && !(number == 0 && signbit(number));
}
