/* Values that hold no others, back. */

static JSValue decode_integer(Decoder *d, const Head *head)
{
    if (head->argument > (uint64_t)MAX_SAFE_INTEGER - (head->major == MAJOR_NEGATIVE))
        return malformed(d, "unsafe-integer");
    return js_int64(head->major == MAJOR_UNSIGNED ? (int64_t)head->argument : ~(int64_t)head->argument);
}

/* The float of that first byte, whatever number it is. */
static int decode_float_bits(Decoder *d, uint8_t form, double *number)
{
    int bytes = form == FORM_FLOAT16 ? 2 : form == FORM_FLOAT32 ? 4 : 8;
    uint64_t bits;
    uint32_t single_bits;
    float single;

    if (decode_argument(d, bytes, &bits))
        return -1;
    if (bytes == 2) {
        *number = fromfp16(bits);
    } else if (bytes == 4) {
        single_bits = bits;
        memcpy(&single, &single_bits, sizeof(single));
        *number = single;
    } else {
        memcpy(number, &bits, sizeof(bits));
    }
    return 0;
}

static int decode_float(Decoder *d, uint8_t form, double *number)
{
    const uint8_t *start = d->at - 1;

    if (decode_float_bits(d, form, number))
        return -1;
    if (isnan(*number))
        return memcmp(start, float16_nan, sizeof(float16_nan)) ? malformed_status(d, "nan-bits") : 0;
    if (value_is_integer(*number))
        return malformed_status(d, "integer-float");
    if ((form == FORM_FLOAT64 && (float)*number == *number) || (form == FORM_FLOAT32 && fromfp16(tofp16(*number)) == *number))
        return malformed_status(d, "long-float");
    return 0;
}

static JSValue decode_simple(Decoder *d)
{
    uint8_t form = *d->item;
    double number;

    switch (form) {
    case FORM_FALSE:
    case FORM_TRUE:
        return js_bool(form == FORM_TRUE);
    case FORM_NULL:
        return JS_NULL;
    case FORM_UNDEFINED:
        return JS_UNDEFINED;
    case FORM_HOLE:
        return malformed(d, "misplaced-hole");
    case FORM_FLOAT16:
    case FORM_FLOAT32:
    case FORM_FLOAT64:
        return decode_float(d, form, &number) ? JS_EXCEPTION : js_float64(number);
    case FORM_SIMPLE8:
        return malformed(d, decode_left(d) ? "unknown-simple" : "truncated");
    default:
        return malformed(d, form == 0xff ? "indefinite-length" : form >= 0xfc ? "reserved-head" : "unknown-simple");
    }
}

static JSValue decode_text(Decoder *d, uint64_t length)
{
    const uint8_t *bytes = decode_bytes(d, length);
    TextScan scan = { .units = length };

    if (!bytes)
        return JS_EXCEPTION;
    if (!text_is_ascii(bytes, length) && (!text_scan(bytes, length, &scan) || scan.surrogate))
        return malformed(d, "invalid-utf8");
    return text_new(d->ctx, bytes, length, &scan);
}

/* What is behind tag 273. */
static JSValue decode_wtf8(Decoder *d)
{
    const uint8_t *bytes;
    TextScan scan;
    Head head;

    if (decode_head_of(d, MAJOR_BYTES, &head, "tag-content") || !(bytes = decode_bytes(d, head.argument)))
        return JS_EXCEPTION;
    if (!text_scan(bytes, head.argument, &scan) || scan.split)
        return malformed(d, "invalid-wtf8");
    if (!scan.surrogate)
        return malformed(d, "needless-wtf8");
    return text_new(d->ctx, bytes, head.argument, &scan);
}

/* A string in either of its forms. */
static JSValue decode_string(Decoder *d, const char *reason)
{
    Head head;

    if (decode_head(d, &head))
        return JS_EXCEPTION;
    if (head.major == MAJOR_TEXT)
        return decode_text(d, head.argument);
    if (head.major == MAJOR_TAG && head.argument == TAG_WTF8)
        return decode_wtf8(d);
    return malformed(d, reason);
}

/* A BigInt's bytes as limbs of two's complement, with one more for the sign. */
static JSValue bigint_new(JSContext *ctx, const uint8_t *bytes, size_t length, bool negative)
{
    JSBigInt *big;
    size_t limbs = length / sizeof(js_limb_t) + 1;

    if (limbs > INT32_MAX)
        return JS_ThrowOutOfMemory(ctx);
    big = js_bigint_new(ctx, limbs);
    if (!big)
        return JS_EXCEPTION;
    memset(big->tab, 0, limbs * sizeof(js_limb_t));
    for (size_t i = 0; i < length; i++)
        big->tab[i / 4] |= (js_limb_t)bytes[length - 1 - i] << 8 * (i % 4);
    for (size_t i = 0; negative && i < limbs; i++)
        big->tab[i] = ~big->tab[i];
    return JS_CompactBigInt(ctx, js_bigint_normalize(ctx, big));
}

/* What is behind tag 2 or 3. */
static JSValue decode_bigint(Decoder *d, bool negative)
{
    const uint8_t *bytes;
    Head head;

    if (decode_head_of(d, MAJOR_BYTES, &head, "tag-content") || !(bytes = decode_bytes(d, head.argument)))
        return JS_EXCEPTION;
    if (head.argument > 0 && bytes[0] == 0)
        return malformed(d, "bignum-zeros");
    return bigint_new(d->ctx, bytes, head.argument, negative);
}

/* The whole milliseconds that `seconds` stand for. Where a Date's range is widest, rounding alone can miss them by one. */
static int decode_milliseconds(Decoder *d, double seconds, double *milliseconds)
{
    double near = rint(seconds * 1000);

    *milliseconds = near;
    if (isnan(seconds))
        return 0;
    for (int i = -1; i <= 1; i++)
        if ((near + i) / 1000 == seconds)
            *milliseconds = near + i;
    if (*milliseconds / 1000 == seconds && fabs(*milliseconds) <= 8.64e15 && !(seconds == 0 && signbit(seconds)))
        return 0;
    return malformed_status(d, "invalid-date");
}

/* What is behind tag 1. */
static JSValue decode_date(Decoder *d)
{
    double seconds = 0, milliseconds;
    uint8_t form;
    Head head;

    if (decode_head(d, &head))
        return JS_EXCEPTION;
    form = *d->item;
    if (head.major == MAJOR_UNSIGNED || head.major == MAJOR_NEGATIVE) {
        JSValue number = decode_integer(d, &head);
        if (JS_IsException(number))
            return number;
        JS_ToFloat64(d->ctx, &seconds, number);
    } else if (form != FORM_FLOAT16 && form != FORM_FLOAT32 && form != FORM_FLOAT64) {
        return malformed(d, "tag-content");
    } else if (decode_float(d, form, &seconds)) {
        return JS_EXCEPTION;
    }
    if (decode_milliseconds(d, seconds, &milliseconds))
        return JS_EXCEPTION;
    return JS_NewDate(d->ctx, milliseconds);
}

/* The index of the last `/` of a text; 0 when there is none behind the first unit. */
static uint32_t regexp_last_slash(JSString *text)
{
    uint32_t i = text->len;

    while (i > 1)
        if (string_get(text, --i) == '/')
            return i;
    return 0;
}

/* Compiles `/source/flags`. JS_EXCEPTION, with a SyntaxError pending where it is no regular expression. */
static JSValue regexp_new(JSContext *ctx, JSString *text, uint32_t slash)
{
    JSValue source = js_sub_string(ctx, text, 1, slash), flags = js_sub_string(ctx, text, slash + 1, text->len);
    JSValue bytecode = JS_IsException(source) || JS_IsException(flags) ? JS_EXCEPTION : js_compile_regexp(ctx, source, flags);

    JS_FreeValue(ctx, flags);
    if (JS_IsException(bytecode)) {
        JS_FreeValue(ctx, source);
        return JS_EXCEPTION;
    }
    return js_regexp_constructor_internal(ctx, JS_UNDEFINED, source, bytecode);
}

static bool regexp_has_text(JSContext *ctx, JSValueConst regexp, JSString *text)
{
    JSValue own = value_regexp_text(ctx, JS_VALUE_GET_OBJ(regexp));
    bool same = !JS_IsException(own) && js_string_eq(JS_VALUE_GET_STRING(own), text);

    JS_FreeValue(ctx, own);
    return same;
}

/* What is behind tag 35. */
static JSValue decode_regexp(Decoder *d)
{
    JSValue text = decode_string(d, "tag-content"), regexp = JS_EXCEPTION;
    JSString *chars;
    uint32_t slash;

    if (JS_IsException(text))
        return text;
    chars = JS_VALUE_GET_STRING(text);
    slash = regexp_last_slash(chars);
    if (slash > 0 && string_get(chars, 0) == '/')
        regexp = regexp_new(d->ctx, chars, slash);
    if (JS_IsException(regexp) || !regexp_has_text(d->ctx, regexp, chars)) {
        JS_FreeValue(d->ctx, regexp);
        regexp = malformed(d, "invalid-regexp");
    }
    JS_FreeValue(d->ctx, text);
    return regexp;
}
