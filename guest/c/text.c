/* Text to bytes and back, for TextEncoder, TextDecoder and the URL functions (https://encoding.spec.whatwg.org). */

enum { REPLACEMENT = 0xfffd };

/* The scalar value at `*at`, which moves past it; a lone surrogate is U+FFFD. */
static uint32_t next_scalar(JSString *text, uint32_t *at)
{
    uint32_t unit = (uint32_t)string_get(text, (int)(*at)++);
    if ((unit & 0xf800) != 0xd800)
        return unit;
    if (unit < 0xdc00 && *at < text->len) {
        uint32_t low = (uint32_t)string_get(text, (int)*at);
        if ((low & 0xfc00) == 0xdc00) {
            (*at)++;
            return 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
        }
    }
    return REPLACEMENT;
}

static size_t put_utf8(uint8_t *to, uint32_t scalar)
{
    if (scalar < 0x80) {
        to[0] = (uint8_t)scalar;
        return 1;
    }
    if (scalar < 0x800) {
        to[0] = (uint8_t)(0xc0 | scalar >> 6);
        to[1] = (uint8_t)(0x80 | (scalar & 0x3f));
        return 2;
    }
    if (scalar < 0x10000) {
        to[0] = (uint8_t)(0xe0 | scalar >> 12);
        to[1] = (uint8_t)(0x80 | (scalar >> 6 & 0x3f));
        to[2] = (uint8_t)(0x80 | (scalar & 0x3f));
        return 3;
    }
    to[0] = (uint8_t)(0xf0 | scalar >> 18);
    to[1] = (uint8_t)(0x80 | (scalar >> 12 & 0x3f));
    to[2] = (uint8_t)(0x80 | (scalar >> 6 & 0x3f));
    to[3] = (uint8_t)(0x80 | (scalar & 0x3f));
    return 4;
}

static size_t utf8_length(JSString *text)
{
    size_t length = 0;
    uint8_t bytes[4];
    for (uint32_t at = 0; at < text->len;)
        length += put_utf8(bytes, next_scalar(text, &at));
    return length;
}

/* Writes whole scalar values while they fit; how many code units of `text` were read goes to `*read`. */
static size_t write_utf8(uint8_t *to, size_t room, JSString *text, uint32_t *read)
{
    size_t written = 0;
    uint32_t at = 0;
    while (at < text->len) {
        uint32_t next = at;
        uint8_t bytes[4];
        size_t length = put_utf8(bytes, next_scalar(text, &next));
        if (length > room - written)
            break;
        memcpy(to + written, bytes, length);
        written += length;
        at = next;
    }
    *read = at;
    return written;
}

/* encodeUtf8(text) -> ArrayBuffer */
static JSValue native_encode_utf8(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val, (void)argc;
    JSValue string = JS_ToString(ctx, argv[0]);
    if (JS_IsException(string))
        return string;
    JSString *text = JS_VALUE_GET_STRING(string);
    size_t length = utf8_length(text);
    JSValue buffer = js_array_buffer_constructor1(ctx, JS_UNDEFINED, length, NULL);
    if (!JS_IsException(buffer)) {
        size_t room;
        uint32_t read;
        uint8_t *bytes = JS_GetArrayBuffer(ctx, &room, buffer);
        write_utf8(bytes, room, text, &read);
    }
    JS_FreeValue(ctx, string);
    return buffer;
}

/* encodeUtf8Into(text, uint8Array) -> [code units read, bytes written] */
static JSValue native_encode_utf8_into(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val, (void)argc;
    size_t room;
    uint32_t read;
    uint8_t *to = JS_GetUint8Array(ctx, &room, argv[1]);
    if (!to && JS_HasException(ctx))
        return JS_EXCEPTION;
    JSValue string = JS_ToString(ctx, argv[0]);
    if (JS_IsException(string))
        return string;
    size_t written = write_utf8(to, room, JS_VALUE_GET_STRING(string), &read);
    JS_FreeValue(ctx, string);
    JSValueConst counts[2] = {js_int32((int32_t)read), js_int32((int32_t)written)};
    return js_create_array(ctx, 2, counts);
}

typedef struct {
    const uint8_t *bytes;
    size_t length;
    StringBuffer out;
    bool malformed;
} Decoding;

static void put_malformed(Decoding *decoding)
{
    decoding->malformed = true;
    string_buffer_putc(&decoding->out, REPLACEMENT);
}

/* The UTF-8 decoder: the longest prefix that could still have become a character is one U+FFFD. */
static void decode_utf8(Decoding *decoding)
{
    size_t at = 0;
    while (at < decoding->length) {
        uint8_t lead = decoding->bytes[at++];
        if (lead < 0x80) {
            string_buffer_putc16(&decoding->out, lead);
            continue;
        }
        if (lead < 0xc2 || lead > 0xf4) {
            put_malformed(decoding);
            continue;
        }
        int more = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
        uint32_t scalar = lead & (0x3f >> more);
        uint8_t lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        uint8_t highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        while (more && at < decoding->length && decoding->bytes[at] >= lowest && decoding->bytes[at] <= highest) {
            scalar = scalar << 6 | (decoding->bytes[at++] & 0x3f);
            lowest = 0x80, highest = 0xbf;
            more--;
        }
        if (more)
            put_malformed(decoding);
        else
            string_buffer_putc(&decoding->out, scalar);
    }
}

static void decode_utf16(Decoding *decoding, bool big_endian)
{
    uint32_t lead = 0;
    size_t at = 0;
    for (; at + 1 < decoding->length; at += 2) {
        uint32_t unit = (uint32_t)decoding->bytes[at + big_endian] | (uint32_t)decoding->bytes[at + !big_endian] << 8;
        if (lead && (unit & 0xfc00) == 0xdc00) {
            string_buffer_putc(&decoding->out, 0x10000 + ((lead & 0x3ff) << 10) + (unit & 0x3ff));
            lead = 0;
            continue;
        }
        if (lead)
            put_malformed(decoding);
        lead = (unit & 0xfc00) == 0xd800 ? unit : 0;
        if (lead)
            continue;
        if ((unit & 0xfc00) == 0xdc00)
            put_malformed(decoding);
        else
            string_buffer_putc16(&decoding->out, unit);
    }
    if (lead || at < decoding->length)
        put_malformed(decoding);
}

/* windows-1252, 0x80 to 0x9f: https://encoding.spec.whatwg.org/index-windows-1252.txt */
static void decode_windows_1252(Decoding *decoding)
{
    static const uint16_t upper[32] = {
        0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x008d, 0x017d, 0x008f, 0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
        0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x009d, 0x017e, 0x0178,
    };
    for (size_t at = 0; at < decoding->length; at++) {
        uint8_t byte = decoding->bytes[at];
        string_buffer_putc16(&decoding->out, byte >= 0x80 && byte < 0xa0 ? upper[byte - 0x80] : byte);
    }
}

/* decodeText(encoding, uint8Array, fatal) -> text, or undefined where `fatal` and the bytes are malformed */
static JSValue native_decode_text(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val, (void)argc;
    Decoding decoding = {0};
    decoding.bytes = JS_GetUint8Array(ctx, &decoding.length, argv[1]);
    if (!decoding.bytes && JS_HasException(ctx))
        return JS_EXCEPTION;
    const char *encoding = JS_ToCString(ctx, argv[0]);
    if (!encoding)
        return JS_EXCEPTION;
    string_buffer_init(ctx, &decoding.out, (int)decoding.length);
    if (!strcmp(encoding, "utf-16le"))
        decode_utf16(&decoding, false);
    else if (!strcmp(encoding, "utf-16be"))
        decode_utf16(&decoding, true);
    else if (!strcmp(encoding, "windows-1252"))
        decode_windows_1252(&decoding);
    else
        decode_utf8(&decoding);
    JS_FreeCString(ctx, encoding);
    JSValue text = string_buffer_end(&decoding.out);
    if (!decoding.malformed || !JS_ToBool(ctx, argv[2]))
        return text;
    JS_FreeValue(ctx, text);
    return JS_UNDEFINED;
}
