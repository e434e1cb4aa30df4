/* The files of guest/js, in the order in which they run. */

static const char text_primordials[] = {
#embed "primordials.js" suffix(, 0)
};
static const char text_realm[] = {
#embed "realm.js" suffix(, 0)
};
static const char text_weak[] = {
#embed "weak.js" suffix(, 0)
};
static const char text_locale[] = {
#embed "locale.js" suffix(, 0)
};
static const char text_decimal[] = {
#embed "decimal.js" suffix(, 0)
};
static const char text_locale_number[] = {
#embed "locale-number.js" suffix(, 0)
};
static const char text_locale_date[] = {
#embed "locale-date.js" suffix(, 0)
};
static const char text_locale_array[] = {
#embed "locale-array.js" suffix(, 0)
};
static const char text_collate[] = {
#embed "collate.js" suffix(, 0)
};
static const char text_inspect_text[] = {
#embed "inspect-text.js" suffix(, 0)
};
static const char text_inspect_layout[] = {
#embed "inspect-layout.js" suffix(, 0)
};
static const char text_inspect_names[] = {
#embed "inspect-names.js" suffix(, 0)
};
static const char text_inspect_errors[] = {
#embed "inspect-errors.js" suffix(, 0)
};
static const char text_inspect[] = {
#embed "inspect.js" suffix(, 0)
};
static const char text_inspect_shapes[] = {
#embed "inspect-shapes.js" suffix(, 0)
};
static const char text_format[] = {
#embed "format.js" suffix(, 0)
};
static const char text_table[] = {
#embed "table.js" suffix(, 0)
};
static const char text_console[] = {
#embed "console.js" suffix(, 0)
};
static const char text_bare[] = {
#embed "bare.js" suffix(, 0)
};
static const char text_webidl[] = {
#embed "webidl.js" suffix(, 0)
};
static const char text_timers[] = {
#embed "timers.js" suffix(, 0)
};
static const char text_event[] = {
#embed "event.js" suffix(, 0)
};
static const char text_event_target[] = {
#embed "event-target.js" suffix(, 0)
};
static const char text_abort[] = {
#embed "abort.js" suffix(, 0)
};
static const char text_form_encoding[] = {
#embed "form-encoding.js" suffix(, 0)
};
static const char text_url_search_params[] = {
#embed "url-search-params.js" suffix(, 0)
};
static const char text_url[] = {
#embed "url.js" suffix(, 0)
};
static const char text_encoding[] = {
#embed "encoding.js" suffix(, 0)
};
static const char text_base64[] = {
#embed "base64.js" suffix(, 0)
};
static const char text_crypto[] = {
#embed "crypto.js" suffix(, 0)
};
static const char text_performance[] = {
#embed "performance.js" suffix(, 0)
};
static const char text_structured_clone[] = {
#embed "structured-clone.js" suffix(, 0)
};

#define REALM_FILE(name, text) {"intermission:" name, text, sizeof text - 1}

#define SHARED_FILES \
    REALM_FILE("primordials", text_primordials), \
    REALM_FILE("realm", text_realm), \
    REALM_FILE("weak", text_weak), \
    REALM_FILE("locale", text_locale), \
    REALM_FILE("decimal", text_decimal), \
    REALM_FILE("locale-number", text_locale_number), \
    REALM_FILE("locale-date", text_locale_date), \
    REALM_FILE("locale-array", text_locale_array), \
    REALM_FILE("collate", text_collate), \
    REALM_FILE("inspect-text", text_inspect_text), \
    REALM_FILE("inspect-layout", text_inspect_layout), \
    REALM_FILE("inspect-names", text_inspect_names), \
    REALM_FILE("inspect-errors", text_inspect_errors), \
    REALM_FILE("inspect", text_inspect), \
    REALM_FILE("inspect-shapes", text_inspect_shapes), \
    REALM_FILE("format", text_format), \
    REALM_FILE("table", text_table), \
    REALM_FILE("console", text_console),

static const RealmFile realm_bare[] = {
    SHARED_FILES
    REALM_FILE("bare", text_bare),
};

static const RealmFile realm_full[] = {
    SHARED_FILES
    REALM_FILE("webidl", text_webidl),
    REALM_FILE("timers", text_timers),
    REALM_FILE("event", text_event),
    REALM_FILE("event-target", text_event_target),
    REALM_FILE("abort", text_abort),
    REALM_FILE("form-encoding", text_form_encoding),
    REALM_FILE("url-search-params", text_url_search_params),
    REALM_FILE("url", text_url),
    REALM_FILE("encoding", text_encoding),
    REALM_FILE("base64", text_base64),
    REALM_FILE("crypto", text_crypto),
    REALM_FILE("performance", text_performance),
    REALM_FILE("structured-clone", text_structured_clone),
};
