#pragma once
/* io/http_get.h - questions to HTTP servers, by libcurl, which is loaded by the first of them */
#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>

typedef struct HttpQuestion {
    const char *url;    /* http:// or https:// */
    const char *accept; /* NULL: any */
    const char *user_info; /* name:password; NULL: none. In no message */
    const char *token;     /* bearer; NULL: none. In no message */
    const char *ca, *certificate, *key; /* paths of PEM files; NULL: the system's authorities, no certificate of our own */
    int timeout_ms;
    bool (*stop)(void *self); /* asked meanwhile: true ends the call as CANCELLED; NULL: never */
    void *stop_self;
} HttpQuestion;

/*
 * GET: 0 with the status of the answer, and its body in place of what `body` held. TRANSIENT: no answer came; CONFIG: a broken address or certificate, libcurl is
 * not installed. Any thread.
 */
int http_get(const HttpQuestion *request, StrBuf *body, int *status, SiltErr *err);
