#pragma once
/*
 * io/http.h - answers to GET over HTTP/1.1, for programs that look now and then: one thread, one request a connection
 *
 * Not for the open network: it knows neither TLS nor users. A request is small and comes soon, else it is refused or its connection closed; those who
 * are slow hold up nobody, and when there are too many the one that has had the most time goes.
 */
#include "base/err.h"
#include "base/str.h"

typedef struct HttpServer HttpServer;

typedef enum HttpStatus { HTTP_OK, HTTP_NOT_FOUND, HTTP_UNAVAILABLE } HttpStatus;

/* Called from the server's thread. path has no query. HTTP_OK or HTTP_UNAVAILABLE (503) with the content and its type (a literal), or HTTP_NOT_FOUND. */
typedef HttpStatus (*HttpAnswer)(void *self, Str path, const char **type, StrBuf *content);

/*
 * address: as net_address_parse takes it; port 0: one that is free. CONFIG: it is none, it is in use, or it is not ours. Caller stops *out before what
 * `self` points to goes.
 */
int http_serve(const char *address, HttpAnswer handler, void *self, HttpServer **out, SiltErr *err);
int http_port(const HttpServer *server);
void http_stop(HttpServer *server); /* NULL allowed; connections are closed at once */
