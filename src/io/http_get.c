/*
 * io/http_get.c - see http_get.h
 *
 * libcurl brings TLS with it: linked, it would cost every start of `silt`, and a program that asks nobody would need it. Its numbers of options and
 * errors are part of its binary interface and stay as they are, so that its headers are not needed.
 */
#include "io/http_get.h"

#include "base/library.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct Curl Curl;      /* CURL */
typedef struct CurlList CurlList; /* struct curl_slist */

enum { BODY_MAX = 16 << 20, CONNECT_MS = 5000 };

/* CURLOPT_* */
enum {
    OPT_WRITEDATA = 10001,
    OPT_URL = 10002,
    OPT_USERPWD = 10005,
    OPT_ERRORBUFFER = 10010,
    OPT_HTTPHEADER = 10023,
    OPT_SSLCERT = 10025,
    OPT_XFERINFODATA = 10057,
    OPT_CAINFO = 10065,
    OPT_SSLKEY = 10087,
    OPT_XOAUTH2_BEARER = 10220,
    OPT_WRITEFUNCTION = 20011,
    OPT_XFERINFOFUNCTION = 20219,
    OPT_NOPROGRESS = 43,
    OPT_NOSIGNAL = 99,
    OPT_HTTPAUTH = 107,
    OPT_TIMEOUT_MS = 155,
    OPT_CONNECTTIMEOUT_MS = 156,
};
enum { AUTH_BASIC = 1, AUTH_BEARER = 1 << 6, INFO_RESPONSE_CODE = 0x200002, GLOBAL_DEFAULT = 3 };
/* CURLE_*: what a person must change */
enum { E_BAD_URL = 3, E_SSL_CERTPROBLEM = 58, E_PEER_VERIFICATION = 60, E_SSL_CACERT_BADFILE = 77, E_ABORTED = 42 };

static struct {
    int (*global_init)(long);
    Curl *(*init)(void);
    void (*cleanup)(Curl *);
    int (*setopt)(Curl *, int, ...);
    int (*perform)(Curl *);
    int (*getinfo)(Curl *, int, ...);
    const char *(*strerror)(int);
    CurlList *(*list_append)(CurlList *, const char *);
    void (*list_free)(CurlList *);
} curl;

static const LibraryFunction wanted[] = {
    {"curl_global_init", (void **)&curl.global_init},   {"curl_easy_init", (void **)&curl.init},         {"curl_easy_cleanup", (void **)&curl.cleanup},
    {"curl_easy_setopt", (void **)&curl.setopt},        {"curl_easy_perform", (void **)&curl.perform},   {"curl_easy_getinfo", (void **)&curl.getinfo},
    {"curl_easy_strerror", (void **)&curl.strerror},    {"curl_slist_append", (void **)&curl.list_append}, {"curl_slist_free_all", (void **)&curl.list_free},
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char why[LIBRARY_WHY_SIZE]; /* it could not be loaded; "" */

static void load(void)
{
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", NULL};

    library_load(names, wanted, sizeof wanted / sizeof *wanted, why);
    if (!*why && curl.global_init(GLOBAL_DEFAULT) != 0)
        snprintf(why, sizeof why, "it does not start");
}

static size_t take_body(const char *bytes, size_t one, size_t count, void *self)
{
    StrBuf *body = self;

    if (body->size + one * count > BODY_MAX)
        return 0;
    str_buf_add(body, bytes, one * count);
    return one * count;
}

static int look_for_stop(void *self, int64_t total_down, int64_t down, int64_t total_up, int64_t up)
{
    const HttpQuestion *request = self;

    (void)total_down, (void)down, (void)total_up, (void)up;
    return request->stop && request->stop(request->stop_self);
}

static void set_text(Curl *handle, int option, const char *text)
{
    if (text)
        curl.setopt(handle, option, text);
}

static int fail(const HttpQuestion *request, int code, const char *detail, SiltErr *err)
{
    SiltErrKind kind = code == E_BAD_URL || code == E_SSL_CERTPROBLEM || code == E_PEER_VERIFICATION || code == E_SSL_CACERT_BADFILE ? SILT_CONFIG : SILT_TRANSIENT;

    if (code == E_ABORTED)
        return silt_fail(err, SILT_CANCELLED, "stopped");
    return silt_fail(err, kind, "could not ask \"%s\": %s", request->url, *detail ? detail : curl.strerror(code));
}

int http_get(const HttpQuestion *request, StrBuf *body, int *status, SiltErr *err)
{
    char detail[256] = "", header[128];
    CurlList *headers = NULL;
    long code = 0;

    if (strncasecmp(request->url, "http://", 7) != 0 && strncasecmp(request->url, "https://", 8) != 0) {
        silt_fail(err, SILT_CONFIG, "\"%s\" is no address of a server", request->url);
        return silt_hint(err, "It begins with http:// or https://.");
    }
    pthread_once(&once, load);
    if (*why) {
        silt_fail(err, SILT_CONFIG, "libcurl, which asks HTTP servers, cannot be loaded: %s", why);
        return silt_hint(err, "Install it: apt install libcurl4.");
    }
    Curl *handle = curl.init();
    if (!handle)
        return silt_fail(err, SILT_TRANSIENT, "libcurl has no room for a question");
    str_buf_clear(body);
    curl.setopt(handle, OPT_URL, request->url);
    curl.setopt(handle, OPT_ERRORBUFFER, detail);
    curl.setopt(handle, OPT_NOSIGNAL, 1L);
    curl.setopt(handle, OPT_TIMEOUT_MS, (long)request->timeout_ms);
    curl.setopt(handle, OPT_CONNECTTIMEOUT_MS, (long)(request->timeout_ms < CONNECT_MS ? request->timeout_ms : CONNECT_MS));
    curl.setopt(handle, OPT_WRITEFUNCTION, take_body);
    curl.setopt(handle, OPT_WRITEDATA, body);
    curl.setopt(handle, OPT_NOPROGRESS, 0L);
    curl.setopt(handle, OPT_XFERINFOFUNCTION, look_for_stop);
    curl.setopt(handle, OPT_XFERINFODATA, request);
    if (request->user_info || request->token)
        curl.setopt(handle, OPT_HTTPAUTH, (long)(request->token ? AUTH_BEARER : AUTH_BASIC));
    set_text(handle, OPT_USERPWD, request->token ? NULL : request->user_info);
    set_text(handle, OPT_XOAUTH2_BEARER, request->token);
    set_text(handle, OPT_CAINFO, request->ca);
    set_text(handle, OPT_SSLCERT, request->certificate);
    set_text(handle, OPT_SSLKEY, request->key);
    if (request->accept) {
        snprintf(header, sizeof header, "Accept: %s", request->accept);
        headers = curl.list_append(NULL, header);
        curl.setopt(handle, OPT_HTTPHEADER, headers);
    }
    int r = curl.perform(handle);
    curl.getinfo(handle, INFO_RESPONSE_CODE, &code);
    curl.cleanup(handle);
    curl.list_free(headers);
    *status = (int)code;
    return r ? fail(request, r, detail, err) : 0;
}
