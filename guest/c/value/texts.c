/* JavaScript's strings as bytes, and back: UTF-8, or WTF-8 where a surrogate stands alone (simonsapin.github.io/wtf-8). */

typedef struct {
    size_t bytes;
    bool lone; /* has a surrogate without its other half */
} TextSize;

static bool text_pair_at(const uint16_t *units, uint32_t i, uint32_t length)
{
    return is_hi_surrogate(units[i]) && i + 1 < length && is_lo_surrogate(units[i + 1]);
}

static TextSize text_measure_wide(const uint16_t *units, uint32_t length)
{
    TextSize size = { 0, false };

    for (uint32_t i = 0; i < length; i++) {
        if (text_pair_at(units, i, length)) {
            size.bytes += 4;
            i++;
        } else {
            size.bytes += 1 + (units[i] >= 0x80) + (units[i] >= 0x800);
            size.lone = size.lone || is_surrogate(units[i]);
        }
    }
    return size;
}

/* The high bits of eight bytes. */
static uint64_t text_high_bits(const uint8_t *bytes)
{
    uint64_t eight;

    memcpy(&eight, bytes, sizeof(eight));
    return eight & 0x8080808080808080;
}

/* How many of the bytes are not ASCII. */
static size_t text_count_high(const uint8_t *bytes, size_t length)
{
    size_t count = 0, i = 0;

    for (; length - i >= 8; i += 8)
        count += __builtin_popcountll(text_high_bits(bytes + i));
    for (; i < length; i++)
        count += bytes[i] >> 7;
    return count;
}

static TextSize text_measure(JSString *text)
{
    if (text->is_wide_char)
        return text_measure_wide(str16(text), text->len);
    return (TextSize){ text->len + text_count_high(str8(text), text->len), false };
}

static void text_write_wide(const uint16_t *units, uint32_t length, uint8_t *to)
{
    for (uint32_t i = 0; i < length; i++) {
        uint32_t c = units[i];
        if (text_pair_at(units, i, length))
            c = from_surrogate(c, units[++i]);
        to += utf8_encode(to, c);
    }
}

/* Writes `text` to `to`, which has room for the bytes that were measured. */
static void text_write(JSString *text, TextSize size, uint8_t *to)
{
    const uint8_t *chars;

    if (text->is_wide_char) {
        text_write_wide(str16(text), text->len, to);
        return;
    }
    chars = str8(text);
    if (size.bytes == text->len) {
        memcpy(to, chars, size.bytes);
        return;
    }
    for (uint32_t i = 0; i < text->len; i++)
        to += utf8_encode(to, chars[i]);
}

/* --- back ------------------------------------------------------------------------------------------------------------- */

typedef struct {
    size_t units;
    bool wide;      /* has a character beyond Latin-1 */
    bool surrogate; /* has a surrogate: not UTF-8 */
    bool split;     /* has a pair in two halves: not even WTF-8 */
} TextScan;

static bool text_is_ascii(const uint8_t *bytes, size_t length)
{
    uint64_t all = 0;
    size_t i = 0;

    for (; length - i >= 8; i += 8)
        all |= text_high_bits(bytes + i);
    for (; i < length; i++)
        all |= bytes[i] & 0x80;
    return all == 0;
}

/* Looks through bytes that should be a text. false when they are not even UTF-8 with surrogates. */
static bool text_scan(const uint8_t *bytes, size_t length, TextScan *scan)
{
    const uint8_t *at = bytes, *end = bytes + length, *next;
    uint32_t c, last = 0;

    *scan = (TextScan){ 0 };
    for (; at < end; at = next, last = c) {
        c = utf8_decode_len(at, end - at, &next);
        if (*at >= 0x80 && next == at + 1)
            return false;
        scan->units += 1 + (c > 0xffff);
        scan->wide = scan->wide || c > 0xff;
        if (c <= 0xffff && is_surrogate(c)) {
            scan->surrogate = true;
            scan->split = scan->split || (is_lo_surrogate(c) && last <= 0xffff && is_hi_surrogate(last));
        }
    }
    return true;
}

/* The string of bytes that were scanned. */
static JSValue text_new(JSContext *ctx, const uint8_t *bytes, size_t length, const TextScan *scan)
{
    JSString *text;

    if (scan->units == 0)
        return js_empty_string(ctx->rt);
    if (scan->units > JS_STRING_LEN_MAX)
        return JS_ThrowRangeError(ctx, "invalid string length");
    text = js_alloc_string(ctx, scan->units, scan->wide);
    if (!text)
        return JS_EXCEPTION;
    if (scan->wide) {
        utf8_decode_buf16(str16(text), scan->units, (const char *)bytes, length);
    } else if (scan->units == length) {
        memcpy(str8(text), bytes, length);
        str8(text)[length] = '\0';
    } else {
        utf8_decode_buf8(str8(text), scan->units + 1, (const char *)bytes, length);
    }
    return JS_MKPTR(JS_TAG_STRING, text);
}
