/* Promises that the host settles: made without the two functions that a script would settle them with. */

/* A pending promise of the realm's own class. */
static JSValue promise_new(JSContext *ctx)
{
    JSPromiseData *data;
    JSValue promise = JS_NewObjectClass(ctx, JS_CLASS_PROMISE);

    if (JS_IsException(promise))
        return promise;
    data = js_mallocz(ctx, sizeof *data);
    if (!data) {
        JS_FreeValue(ctx, promise);
        return JS_EXCEPTION;
    }
    data->promise_state = JS_PROMISE_PENDING;
    data->promise_result = JS_UNDEFINED;
    init_list_head(&data->promise_reactions[0]);
    init_list_head(&data->promise_reactions[1]);
    JS_SetOpaqueInternal(promise, data);
    return promise;
}

/* What the functions of ECMA-262, 27.2.1.3, do: a value that has a `then` to call is waited for. */
static void promise_settle(JSContext *ctx, JSValueConst promise, JSValueConst value, bool rejected)
{
    JSValue then = JS_UNDEFINED;

    if (!rejected && JS_IsObject(value))
        then = JS_GetProperty(ctx, value, JS_ATOM_then);
    if (JS_IsException(then)) {
        JSValue error = JS_GetException(ctx);
        fulfill_or_reject_promise(ctx, promise, error, true);
        JS_FreeValue(ctx, error);
    } else if (JS_IsFunction(ctx, then)) {
        JSValueConst arguments[] = { promise, value, then };
        JS_EnqueueJob(ctx, js_promise_resolve_thenable_job, countof(arguments), arguments);
        JS_FreeValue(ctx, then);
    } else {
        fulfill_or_reject_promise(ctx, promise, value, rejected);
        JS_FreeValue(ctx, then);
    }
}
