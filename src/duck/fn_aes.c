/*
 * duck/fn_aes.c - aes_encrypt, aes_decrypt, try_aes_decrypt, with OpenSSL's libcrypto
 *
 * The library is loaded by the first statement that names one of them: linked, it would cost every start of `silt`, and a program without ciphers would need it.
 * Only functions that stay as they are through OpenSSL 3 are called, so that its headers are not needed.
 *
 * The bytes are Spark's: CBC and GCM begin with the vector (16 and 12 bytes), GCM ends with the tag of 16 bytes.
 */
#include <pthread.h>
#include <stdio.h>

#include "base/library.h"
#include "duck/fn_text.h"

/* ---- libcrypto ---- */

typedef struct CipherContext CipherContext; /* EVP_CIPHER_CTX */
typedef struct Cipher Cipher;               /* EVP_CIPHER */

enum { SET_TAG = 0x11, GET_TAG = 0x10 }; /* EVP_CTRL_AEAD_* */

static struct {
    CipherContext *(*ctx_new)(void);
    void (*ctx_free)(CipherContext *);
    int (*ctx_ctrl)(CipherContext *, int what, int size, void *data);
    int (*init)(CipherContext *, const Cipher *, void *engine, const unsigned char *key, const unsigned char *iv, int encrypt);
    int (*update)(CipherContext *, unsigned char *out, int *out_size, const unsigned char *in, int in_size);
    int (*final)(CipherContext *, unsigned char *out, int *out_size);
    const Cipher *(*by_name)(const char *);
    int (*random)(unsigned char *, int);
    void (*clear_errors)(void);
} ssl;

static const LibraryFunction wanted[] = {
    {"EVP_CIPHER_CTX_new", (void **)&ssl.ctx_new},   {"EVP_CIPHER_CTX_free", (void **)&ssl.ctx_free}, {"EVP_CIPHER_CTX_ctrl", (void **)&ssl.ctx_ctrl},
    {"EVP_CipherInit_ex", (void **)&ssl.init},       {"EVP_CipherUpdate", (void **)&ssl.update},      {"EVP_CipherFinal_ex", (void **)&ssl.final},
    {"EVP_get_cipherbyname", (void **)&ssl.by_name}, {"RAND_bytes", (void **)&ssl.random},            {"ERR_clear_error", (void **)&ssl.clear_errors},
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char why[LIBRARY_WHY_SIZE]; /* it could not be loaded; "" */

static void load(void)
{
    static const char *const names[] = {"libcrypto.so.3", NULL};

    library_load(names, wanted, sizeof wanted / sizeof *wanted, why);
}

static int prepare(FnCall *call, SiltErr *err)
{
    (void)call;
    pthread_once(&once, load);
    if (!*why)
        return 0;
    silt_fail(err, SILT_CONFIG, "libcrypto, which encrypts and decrypts, cannot be loaded: %s", why);
    return silt_hint(err, "Install OpenSSL 3: apt install libssl3.");
}

/* ---- modes ---- */

enum { BLOCK = 16, TAG = 16, IV_MAX = 16 };

typedef struct Mode {
    const char *name, *padding; /* as users write them */
    const char *cipher;         /* in OpenSSL's names, behind the size of the key */
    int iv_size;
    bool tagged;
} Mode;

static const Mode modes[] = {{"ECB", "PKCS", "ecb", 0, false}, {"CBC", "PKCS", "cbc", BLOCK, false}, {"GCM", "NONE", "gcm", 12, true}};

static bool says(Str text, const char *word)
{
    return text.size == strlen(word) && !strncasecmp(text.ptr, word, text.size);
}

static const Mode *find_mode(Str name, Str padding)
{
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (says(name, modes[i].name) && (says(padding, modes[i].padding) || says(padding, "DEFAULT")))
            return &modes[i];
    return NULL;
}

/* Why a value is refused. */
typedef struct Refusal {
    const char *code;
    char text[600];
} Refusal;

static bool refuse(Refusal *why_not, const char *code, const char *text)
{
    why_not->code = code;
    snprintf(why_not->text, sizeof why_not->text, "%s", text);
    return false;
}

static const char no_sense[] = "INVALID_PARAMETER_VALUE.AES_CRYPTO_ERROR";

/* One call's context, and what it was last set up for: to look a cipher up takes longer than to encrypt a short text. */
typedef struct Use {
    CipherContext *context;
    const Mode *mode;
    size_t key_size;
    const Cipher *cipher; /* NULL: the context has the one of mode and key_size already */
} Use;

/* A key and a mode that go together; false with the reason. */
static bool choose(Use *use, Str key, Str name, Str padding, Refusal *why_not)
{
    char text[24];

    if (key.size != 16 && key.size != 24 && key.size != 32) {
        refuse(why_not, "INVALID_PARAMETER_VALUE.AES_KEY_LENGTH", "");
        snprintf(why_not->text, sizeof why_not->text, "a key of AES has 16, 24 or 32 bytes, not %zu", key.size);
        return false;
    }
    const Mode *mode = find_mode(name, padding);

    if (!mode) {
        refuse(why_not, "UNSUPPORTED_FEATURE.AES_MODE", "");
        snprintf(why_not->text, sizeof why_not->text, "AES does not know the mode \"%.*s\" with the padding \"%.*s\"; there are ECB and CBC with PKCS, GCM with NONE",
                 FN_SHOW(name), FN_SHOW(padding));
        return false;
    }
    if (mode == use->mode && key.size == use->key_size)
        return true;
    snprintf(text, sizeof text, "aes-%zu-%s", key.size * 8, mode->cipher);
    *use = (Use){use->context, mode, key.size, ssl.by_name(text)};
    if (use->cipher)
        return true;
    use->mode = NULL;
    return refuse(why_not, no_sense, "this libcrypto has no AES");
}

static const unsigned char *bytes(Str s)
{
    return (const unsigned char *)(s.ptr ? s.ptr : "");
}

/* ---- one value ---- */

/* After bytes were written behind its end, where room was reserved. */
static void grew(StrBuf *buf, size_t size)
{
    buf->size += size;
    buf->ptr[buf->size] = '\0';
}

static bool set_up(Use *use, Str key, const unsigned char *vector, bool encrypt)
{
    bool ok = ssl.init(use->context, use->cipher, NULL, bytes(key), vector, encrypt);

    use->cipher = NULL;
    if (!ok)
        use->mode = NULL; /* the next value looks it up again */
    return ok;
}

/* aad goes in before the text, where there is one. False: the text makes no sense with this key. */
static bool run(CipherContext *context, Str in, Str aad, unsigned char *out, size_t *out_size)
{
    int none, first = 0, last = 0;

    if ((aad.size && !ssl.update(context, NULL, &none, bytes(aad), (int)aad.size)) || (in.size && !ssl.update(context, out, &first, bytes(in), (int)in.size)) ||
        !ssl.final(context, out + first, &last))
        return false;
    *out_size = (size_t)first + (size_t)last;
    return true;
}

static bool too_long(Str in, Str aad)
{
    return in.size > INT32_MAX - 64 || aad.size > INT32_MAX - 64;
}

static bool encrypt_one(Use *use, Str in, Str key, Str iv, Str aad, StrBuf *out, Refusal *why_not)
{
    const Mode *mode = use->mode;
    unsigned char vector[IV_MAX];
    size_t size = 0;

    if (iv.size && !mode->iv_size)
        return refuse(why_not, "UNSUPPORTED_FEATURE.AES_MODE_IV", "the mode ECB takes no initialization vector");
    if (iv.size && iv.size != (size_t)mode->iv_size) {
        refuse(why_not, "INVALID_PARAMETER_VALUE.AES_IV_LENGTH", "");
        snprintf(why_not->text, sizeof why_not->text, "the initialization vector of %s has %d bytes, not %zu", mode->name, mode->iv_size, iv.size);
        return false;
    }
    if (aad.size && !mode->tagged)
        return refuse(why_not, "UNSUPPORTED_FEATURE.AES_MODE_AAD", "only the mode GCM takes additional authenticated data");
    if (iv.size)
        memcpy(vector, iv.ptr, iv.size);
    else if (mode->iv_size && ssl.random(vector, mode->iv_size) != 1)
        return refuse(why_not, no_sense, "there are no random bytes for the initialization vector");
    size_t head = (size_t)mode->iv_size;

    str_buf_clear(out);
    str_buf_add(out, (const char *)vector, head);
    str_buf_reserve(out, in.size + BLOCK + TAG);
    char *end = out->ptr + out->size;

    if (too_long(in, aad) || !set_up(use, key, vector, true) || !run(use->context, in, aad, (unsigned char *)end, &size))
        return refuse(why_not, no_sense, "the value cannot be encrypted");
    if (mode->tagged) {
        if (!ssl.ctx_ctrl(use->context, GET_TAG, TAG, end + size))
            return refuse(why_not, no_sense, "the value cannot be encrypted");
        size += TAG;
    }
    grew(out, size);
    return true;
}

static bool decrypt_one(Use *use, Str in, Str key, Str aad, StrBuf *out, Refusal *why_not)
{
    const Mode *mode = use->mode;
    size_t head = (size_t)mode->iv_size, tail = mode->tagged ? TAG : 0, size = 0;

    if (in.size < head + tail)
        return refuse(why_not, no_sense, "the value is too short to have been encrypted in this mode");
    if (aad.size && !mode->tagged && mode->iv_size)
        return refuse(why_not, "UNSUPPORTED_FEATURE.AES_MODE_AAD", "only the mode GCM takes additional authenticated data");
    Str body = {in.ptr + head, in.size - head - tail};

    str_buf_clear(out);
    if (!mode->tagged && !body.size) /* padding always makes a block; Java takes none for no bytes */
        return true;
    str_buf_reserve(out, body.size + BLOCK);
    char *end = out->ptr + out->size;

    if (too_long(in, aad) || !set_up(use, key, bytes(in), false) ||
        (mode->tagged && !ssl.ctx_ctrl(use->context, SET_TAG, TAG, (void *)(body.ptr + body.size))) || !run(use->context, body, mode->tagged ? aad : STR(""), (unsigned char *)end, &size))
        return refuse(why_not, no_sense, "the value does not fit the key, or was changed");
    grew(out, size);
    return true;
}

/* ---- the functions ---- */

/* (bytes, key, mode, padding [, vector], data) */
static int each(FnCall *call, const Column *args, Column *out, int rows, bool encrypt, bool null)
{
    Use use = {.context = ssl.ctx_new()};
    int r = 0;

    if (!use.context)
        return fn_fail(call, 0, no_sense, "libcrypto gives no memory");
    for (int row = 0; row < rows && r == 0; row++) {
        Refusal why_not;

        if (column_is_null(out, (uint64_t)row))
            continue;
        Str in = text_at(&args[0], row), key = text_at(&args[1], row);
        bool ok = choose(&use, key, text_at(&args[2], row), text_at(&args[3], row), &why_not);

        if (ok)
            ok = encrypt ? encrypt_one(&use, in, key, text_at(&args[4], row), text_at(&args[5], row), call->scratch, &why_not)
                         : decrypt_one(&use, in, key, text_at(&args[4], row), call->scratch, &why_not);
        if (ok)
            text_put_buf(out, row, call->scratch);
        else if (null)
            column_set_null(out, (uint64_t)row);
        else
            r = fn_fail(call, row, why_not.code, "%s", why_not.text);
    }
    ssl.ctx_free(use.context);
    ssl.clear_errors();
    return r;
}

static int encrypt(FnCall *call, const Column *args, Column *out, int rows)
{
    return each(call, args, out, rows, true, false);
}

static int decrypt(FnCall *call, const Column *args, Column *out, int rows)
{
    return each(call, args, out, rows, false, false);
}

static int try_decrypt(FnCall *call, const Column *args, Column *out, int rows)
{
    return each(call, args, out, rows, false, true);
}

const DuckFunction fn_aes[] = {
    {.name = "silt_aes_encrypt", .args = "binary, binary, string, string, binary, binary", .result = "binary", .flags = FN_FAILS, .eval = encrypt, .prepare = prepare},
    {.name = "silt_aes_decrypt", .args = "binary, binary, string, string, binary", .result = "binary", .flags = FN_FAILS, .eval = decrypt, .prepare = prepare},
    {.name = "silt_try_aes_decrypt", .args = "binary, binary, string, string, binary", .result = "binary", .eval = try_decrypt, .prepare = prepare},
    {0},
};
