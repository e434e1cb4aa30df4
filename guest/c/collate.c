/* Comparing texts as people sort them: the root order of the Unicode Collation Algorithm (https://www.unicode.org/reports/tr10) for
 * spaces, punctuation, digits and Latin letters; other letters in the order of their code points, case and accents apart.
 *
 * A text becomes elements of three weights, which are compared one level after the other: what the character is, its accents, its case.
 */

enum { COLLATE_NUMERIC = 1, COLLATE_NO_PUNCTUATION = 2, COLLATE_UPPER_FIRST = 4 };
enum { COLLATE_BASE = 0, COLLATE_ACCENT = 1, COLLATE_CASE = 2, COLLATE_VARIANT = 3 };

/* Where the groups of first weights begin. */
enum { LISTED = 0x10, OTHER_SYMBOL = 0x1000, CURRENCY = 0x200000, NUMBER = 0x300000, DIGIT = 0x7ffffff0, LETTER = 0x80000000 };

typedef struct {
    uint32_t primary;   /* 0: an accent alone */
    uint16_t secondary; /* PLAIN, LIGATURE, or which accent */
    uint8_t tertiary;   /* 0: an accent, which has no case */
} Weights;

enum { PLAIN = 1, LIGATURE = 0x30 };

typedef struct {
    Weights *weights;
    size_t count, capacity;
} Elements;

static const uint16_t punctuation[] = {
    '\t', '\n', 0x0b, '\f', '\r', 0x2028, 0x2029, ' ', 0x203e, '_', 0x2017, '-', 0x2010, 0x2012, 0x2013, 0x2014, 0x2015, ',', ';', ':', '!',
    0xa1, '?', 0xbf, '.', 0xb7, '\'', 0x2039, 0x203a, '"', 0xab, 0xbb, '(', ')', '[', ']', '{', '}', 0xa7, 0xb6, '@', '*', '/',
    '\\', '&', '#', '%', 0x2030, 0x2020, 0x2021, 0x2022, 0x2032, 0x2033,
};
static const uint16_t symbols[] = {'`', 0xb4, '^', 0xaf, 0xa8, 0xb8, 0xb0, 0xa9, 0xae, '+', 0xb1, 0xf7, 0xd7, '<', '=', '>', 0xac, '|', 0xa6, '~', 0x2212};
static const uint16_t currencies[] = {0xa4, 0xa2, '$', 0xa3, 0xa5};
/* Accents in the order of their weights. */
static const uint16_t accents[] = {0x301, 0x300, 0x306, 0x302, 0x30c, 0x30a, 0x308, 0x30b, 0x303, 0x307, 0x338, 0x327, 0x328, 0x304};

static int find_unit(const uint16_t *table, size_t length, uint32_t point)
{
    for (size_t i = 0; i < length; i++)
        if (table[i] == point)
            return (int)i;
    return -1;
}

static bool is_mark(uint32_t point)
{
    return (point >= 0x300 && point <= 0x36f) || (point >= 0x1ab0 && point <= 0x1aff) || (point >= 0x1dc0 && point <= 0x1dff)
        || (point >= 0x20d0 && point <= 0x20ff) || (point >= 0xfe20 && point <= 0xfe2f);
}

static bool is_ignored(uint32_t point)
{
    return point < 9 || (point > 13 && point < 32) || (point >= 0x7f && point < 0xa0) || point == 0xad || (point >= 0x200b && point <= 0x200f)
        || point == 0xfeff;
}

/* Characters that differ from another one in the last weight alone. */
static uint32_t plain_form(uint32_t point)
{
    switch (point) {
    case 0xa0:
        return ' ';
    case 0x2011:
        return 0x2010;
    case 0x2024: case 0x2025: case 0x2026:
        return '.';
    case 0x2018: case 0x2019: case 0x201a: case 0x201b:
        return '\'';
    case 0x201c: case 0x201d: case 0x201e: case 0x201f:
        return '"';
    default:
        return point;
    }
}

static uint32_t symbol_weight(uint32_t point)
{
    int found = find_unit(punctuation, countof(punctuation), point);
    if (found >= 0)
        return LISTED + (uint32_t)found;
    found = find_unit(symbols, countof(symbols), point);
    if (found >= 0)
        return LISTED + countof(punctuation) + (uint32_t)found;
    found = find_unit(currencies, countof(currencies), point);
    if (found >= 0)
        return CURRENCY + (uint32_t)found;
    if (point >= 0x20a0 && point <= 0x20cf)
        return CURRENCY + point;
    return OTHER_SYMBOL + point;
}

static int add_weights(JSContext *ctx, Elements *elements, uint32_t primary, uint32_t secondary, uint32_t tertiary)
{
    if (elements->count == elements->capacity) {
        size_t capacity = elements->capacity ? elements->capacity * 2 : 32;
        Weights *grown = js_realloc(ctx, elements->weights, capacity * sizeof *grown);
        if (!grown)
            return -1;
        elements->weights = grown;
        elements->capacity = capacity;
    }
    elements->weights[elements->count++] = (Weights){primary, (uint16_t)secondary, (uint8_t)tertiary};
    return 0;
}

static int add_letter(JSContext *ctx, Elements *elements, uint32_t point, int options)
{
    uint32_t folded[LRE_CC_RES_LEN_MAX];
    lre_case_conv(folded, point, 1);
    uint32_t letter = folded[0];
    bool upper = letter != point;
    uint32_t tertiary = upper != !!(options & COLLATE_UPPER_FIRST) ? 2 : 1;
    uint32_t second = 0;
    switch (letter) {
    case 0xdf: /* ß */
        letter = 's', second = 's';
        break;
    case 0xe6: /* æ */
        letter = 'a', second = 'e';
        break;
    case 0x153: /* œ */
        letter = 'o', second = 'e';
        break;
    case 0xf8: /* ø */
        if (add_weights(ctx, elements, LETTER + 'o', PLAIN, tertiary))
            return -1;
        return add_weights(ctx, elements, 0, PLAIN + 1 + (uint32_t)find_unit(accents, countof(accents), 0x338), 0);
    }
    if (add_weights(ctx, elements, LETTER + letter, PLAIN, tertiary))
        return -1;
    if (!second)
        return 0;
    return add_weights(ctx, elements, 0, LIGATURE, 0) || add_weights(ctx, elements, LETTER + second, PLAIN, tertiary + 2) ? -1 : 0;
}

/* A run of digits as one number: first how many digits it has. The point behind it. */
static int add_number(JSContext *ctx, Elements *elements, const uint32_t *points, int length, int at)
{
    while (at + 1 < length && points[at] == '0' && points[at + 1] >= '0' && points[at + 1] <= '9')
        at++;
    int end = at;
    while (end < length && points[end] >= '0' && points[end] <= '9')
        end++;
    if (add_weights(ctx, elements, NUMBER + (uint32_t)(end - at), PLAIN, 1))
        return -1;
    for (; at < end; at++)
        if (add_weights(ctx, elements, DIGIT + points[at] - '0', PLAIN, 1))
            return -1;
    return end;
}

static int add_points(JSContext *ctx, Elements *elements, const uint32_t *points, int length, int options)
{
    for (int at = 0; at < length;) {
        uint32_t point = points[at];
        int failed = 0;
        if (point >= '0' && point <= '9' && options & COLLATE_NUMERIC) {
            at = add_number(ctx, elements, points, length, at);
            if (at < 0)
                return -1;
            continue;
        }
        at++;
        if (is_ignored(point))
            continue;
        if (is_mark(point)) {
            int known = find_unit(accents, countof(accents), point);
            failed = add_weights(ctx, elements, 0, known >= 0 ? PLAIN + 1 + (uint32_t)known : (point & 0xffff) | 0x40, 0);
        } else if (point >= '0' && point <= '9') {
            failed = add_weights(ctx, elements, DIGIT + point - '0', PLAIN, 1);
        } else if (lre_is_id_start(point) && point != '$' && point != '_') {
            failed = add_letter(ctx, elements, point, options);
        } else if (!(options & COLLATE_NO_PUNCTUATION && find_unit(punctuation, countof(punctuation), plain_form(point)) >= 0)) {
            uint32_t plain = plain_form(point);
            for (int dots = point == 0x2026 ? 3 : point == 0x2025 ? 2 : 1; dots && !failed; dots--)
                failed = add_weights(ctx, elements, symbol_weight(plain), PLAIN, plain == point ? 1 : 2 + (point & 7));
        }
        if (failed)
            return -1;
    }
    return 0;
}

static int elements_of(JSContext *ctx, Elements *elements, JSValueConst value, int options)
{
    uint32_t *points = NULL, *decomposed = NULL;
    int length = to_utf32_buf(ctx, JS_VALUE_GET_STRING(value), &points);
    if (length < 0)
        return -1;
    int count = unicode_normalize(&decomposed, points, length, UNICODE_NFD, ctx, (DynBufReallocFunc *)js_realloc);
    js_free(ctx, points);
    if (count < 0)
        return -1;
    int failed = add_points(ctx, elements, decomposed, count, options);
    js_free(ctx, decomposed);
    return failed;
}

enum { FIRST, SECOND, THIRD };

static uint32_t weight_at(const Weights *weights, int level)
{
    return level == FIRST ? weights->primary : level == SECOND ? weights->secondary : weights->tertiary;
}

/* Zero weights do not count at their level. */
static int compare_level(const Elements *a, const Elements *b, int level)
{
    size_t i = 0, j = 0;
    for (;;) {
        while (i < a->count && !weight_at(&a->weights[i], level))
            i++;
        while (j < b->count && !weight_at(&b->weights[j], level))
            j++;
        if (i == a->count || j == b->count)
            return (i < a->count) - (j < b->count);
        uint32_t left = weight_at(&a->weights[i++], level), right = weight_at(&b->weights[j++], level);
        if (left != right)
            return left < right ? -1 : 1;
    }
}

/* compareText(a, b, options, sensitivity) -> -1, 0 or 1; COLLATE_ options and one of the four sensitivities */
static JSValue native_compare_text(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val, (void)argc;
    int options, sensitivity, order = 0;
    if (JS_ToInt32(ctx, &options, argv[2]) || JS_ToInt32(ctx, &sensitivity, argv[3]))
        return JS_EXCEPTION;
    JSValue a = JS_ToString(ctx, argv[0]), b = JS_ToString(ctx, argv[1]), result = JS_EXCEPTION;
    Elements left = {0}, right = {0};
    if (!JS_IsException(a) && !JS_IsException(b) && !elements_of(ctx, &left, a, options) && !elements_of(ctx, &right, b, options)) {
        order = compare_level(&left, &right, FIRST);
        if (!order && sensitivity & COLLATE_ACCENT)
            order = compare_level(&left, &right, SECOND);
        if (!order && sensitivity & COLLATE_CASE)
            order = compare_level(&left, &right, THIRD);
        result = js_int32(order);
    }
    js_free(ctx, left.weights);
    js_free(ctx, right.weights);
    JS_FreeValue(ctx, a);
    JS_FreeValue(ctx, b);
    return result;
}
