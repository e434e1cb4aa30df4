/* Values that hold no others: numbers, texts, dates, regular expressions. */

static void encode_integer(Encoder *e, int64_t number)
{
    if (number >= 0)
        put_head(e->out, MAJOR_UNSIGNED, number);
    else
        put_head(e->out, MAJOR_NEGATIVE, ~number);
}

static void put_float(Buffer *out, uint8_t form, uint64_t bits, int bytes)
{
    uint8_t *to = buffer_reserve(out, 1 + bytes);

    if (!to)
        return;
    *to = form;
    put_big_endian(to + 1, bits, bytes);
    out->length += 1 + bytes;
}

/* The shortest float that keeps the number (RFC 8949, 4.1). */
static void encode_float(Encoder *e, double number)
{
    float single = (float)number;
    uint16_t half;
    uint32_t single_bits;
    uint64_t bits;

    if (isnan(number)) {
        buffer_put(e->out, float16_nan, sizeof(float16_nan));
    } else if (single != number) {
        memcpy(&bits, &number, sizeof(bits));
        put_float(e->out, FORM_FLOAT64, bits, 8);
    } else if (half = tofp16(number), fromfp16(half) == number) {
        put_float(e->out, FORM_FLOAT16, half, 2);
    } else {
        memcpy(&single_bits, &single, sizeof(single_bits));
        put_float(e->out, FORM_FLOAT32, single_bits, 4);
    }
}

static void encode_number(Encoder *e, double number)
{
    if (value_is_integer(number))
        encode_integer(e, (int64_t)number);
    else
        encode_float(e, number);
}

static void encode_text(Encoder *e, JSString *text)
{
    TextSize size = text_measure(text);
    uint8_t *to;

    if (size.lone)
        put_head(e->out, MAJOR_TAG, TAG_WTF8);
    put_head(e->out, size.lone ? MAJOR_BYTES : MAJOR_TEXT, size.bytes);
    to = buffer_reserve(e->out, size.bytes);
    if (!to)
        return;
    text_write(text, size, to);
    e->out->length += size.bytes;
}

/* Encodes a string, which is freed. */
static int encode_string_free(Encoder *e, JSValue string)
{
    if (JS_IsException(string))
        return -1;
    encode_text(e, JS_VALUE_GET_STRING(string));
    JS_FreeValue(e->ctx, string);
    return encode_status(e);
}

static void encode_key(Encoder *e, JSAtom key)
{
    char digits[12];
    size_t length;

    if (__JS_AtomIsTaggedInt(key)) {
        length = u32toa(digits, __JS_AtomToUInt32(key));
        put_head(e->out, MAJOR_TEXT, length);
        buffer_put(e->out, digits, length);
    } else {
        encode_text(e, e->ctx->rt->atom_array[key]);
    }
}

/* A big integer: two's complement limbs, the lowest first. A negative n is sent as -1 - n, which is ~n (RFC 8949, 3.4.3). */
static void encode_limbs(Encoder *e, const js_limb_t *limbs, uint32_t count)
{
    bool negative = limbs[count - 1] >> (JS_LIMB_BITS - 1);
    js_limb_t flip = negative ? -1 : 0;
    size_t length = count * sizeof(js_limb_t);
    uint8_t *to;

    while (length && (uint8_t)((limbs[(length - 1) / 4] ^ flip) >> 8 * ((length - 1) % 4)) == 0)
        length--;
    put_head(e->out, MAJOR_TAG, negative ? TAG_BIGINT_NEGATIVE : TAG_BIGINT);
    put_head(e->out, MAJOR_BYTES, length);
    to = buffer_reserve(e->out, length);
    if (!to)
        return;
    for (size_t i = length; i-- > 0;)
        *to++ = (limbs[i / 4] ^ flip) >> 8 * (i % 4);
    e->out->length += length;
}

static void encode_bigint(Encoder *e, JSValueConst number)
{
    js_limb_t limb;
    JSBigInt *big;

    if (JS_VALUE_GET_TAG(number) == JS_TAG_SHORT_BIG_INT) {
        limb = JS_VALUE_GET_SHORT_BIG_INT(number);
        encode_limbs(e, &limb, 1);
    } else {
        big = JS_VALUE_GET_PTR(number);
        encode_limbs(e, big->tab, big->len);
    }
}

static int encode_date(Encoder *e, JSObject *date)
{
    double milliseconds = NAN;

    JS_ToFloat64(e->ctx, &milliseconds, date->u.object_data);
    put_head(e->out, MAJOR_TAG, TAG_DATE);
    if (fmod(milliseconds, 1000) == 0)
        encode_integer(e, (int64_t)(milliseconds / 1000));
    else
        encode_float(e, milliseconds / 1000);
    return encode_status(e);
}

/* The flags of a compiled regular expression as RegExp.prototype.flags lists them; `flags` has room for all and a NUL. */
static void value_regexp_flags(JSObject *regexp, char flags[9])
{
    static const struct { int mask; char letter; } letters[] = {
        { LRE_FLAG_INDICES, 'd' }, { LRE_FLAG_GLOBAL, 'g' }, { LRE_FLAG_IGNORECASE, 'i' }, { LRE_FLAG_MULTILINE, 'm' },
        { LRE_FLAG_DOTALL, 's' }, { LRE_FLAG_UNICODE, 'u' }, { LRE_FLAG_UNICODE_SETS, 'v' }, { LRE_FLAG_STICKY, 'y' },
    };
    int set = lre_get_flags(str8(regexp->u.regexp.bytecode));

    for (size_t i = 0; i < countof(letters); i++)
        if (set & letters[i].mask)
            *flags++ = letters[i].letter;
    *flags = '\0';
}

/* The text `/source/flags` of a regular expression, whatever the guest made of the accessors on its prototype. */
static JSValue value_regexp_text(JSContext *ctx, JSObject *regexp)
{
    JSValue source = js_regexp_get_source(ctx, JS_MKPTR(JS_TAG_OBJECT, regexp));
    char after[10] = "/";

    if (JS_IsException(source))
        return source;
    value_regexp_flags(regexp, after + 1);
    return JS_ConcatString3(ctx, "/", source, after);
}

static int encode_regexp(Encoder *e, JSObject *regexp)
{
    put_head(e->out, MAJOR_TAG, TAG_REGEXP);
    return encode_string_free(e, value_regexp_text(e->ctx, regexp));
}
