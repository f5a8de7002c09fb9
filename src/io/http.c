/* io/http.c - see http.h */
#include "io/http.h"

#include "base/clock.h"
#include "io/net.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS_MAX = 32, REQUEST_MAX = 8192, REQUEST_MS = 5000, REPLY_MS = 10000, LINGER_MS = 1000 };

/* A reply is followed by a little time in which the other side closes: closing first, with bytes unread, would take the reply away from it. */
typedef enum ClientState { CLIENT_ASKS, CLIENT_IS_TOLD, CLIENT_LINGERS } ClientState;

typedef struct Client {
    int fd;
    ClientState state;
    int64_t since_ms, until_ms;
    char request[REQUEST_MAX];
    size_t size;
    StrBuf reply;
    size_t sent;
} Client;

struct HttpServer {
    int listener, wake, port;
    HttpAnswer answer;
    void *self;
    pthread_t thread;
    Client *clients[CLIENTS_MAX];
    int client_count;
};

/* ---- one client ---- */

static void free_client(Client *client)
{
    close(client->fd);
    str_buf_fini(&client->reply);
    free(client);
}

static void reply(Client *client, const char *status, const char *type, Str content, bool head_only)
{
    str_buf_printf(&client->reply, "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\nCache-Control: no-store\r\n%s\r\n", status, type,
                   content.size, !strncmp(status, "405", 3) ? "Allow: GET, HEAD\r\n" : "");
    if (!head_only)
        str_buf_str(&client->reply, content);
    client->state = CLIENT_IS_TOLD;
    client->until_ms = clock_ms() + REPLY_MS;
}

static void refuse(Client *client, const char *status)
{
    silt_auto(str_buf_fini) StrBuf text = {0};

    str_buf_printf(&text, "%s\n", status);
    reply(client, status, "text/plain; charset=utf-8", str_buf_view(&text), false);
}

/* The next word of a request's first line, up to a single blank. */
static Str take_word(Str *line)
{
    const char *blank = memchr(line->ptr, ' ', line->size);
    Str word = {line->ptr, blank ? (size_t)(blank - line->ptr) : line->size};
    size_t taken = word.size + (blank != NULL);

    *line = (Str){line->ptr + taken, line->size - taken};
    return word;
}

static void answer(HttpServer *server, Client *client, Str line)
{
    silt_auto(str_buf_fini) StrBuf content = {0};
    Str method = take_word(&line), target = take_word(&line), version = line;
    const char *type = "text/plain; charset=utf-8";
    bool head = str_is(method, "HEAD");

    if (!method.size || !target.size || !str_starts(version, "HTTP/") || memchr(version.ptr, ' ', version.size))
        return refuse(client, "400 Bad Request");
    if (!str_is(version, "HTTP/1.1") && !str_is(version, "HTTP/1.0"))
        return refuse(client, "505 HTTP Version Not Supported");
    if (!head && !str_is(method, "GET"))
        return refuse(client, "405 Method Not Allowed");
    if (*target.ptr != '/')
        return refuse(client, "400 Bad Request");
    const char *query = memchr(target.ptr, '?', target.size);
    if (query)
        target.size = (size_t)(query - target.ptr);
    HttpStatus status = server->answer(server->self, target, &type, &content);
    if (status == HTTP_NOT_FOUND)
        return refuse(client, "404 Not Found");
    reply(client, status == HTTP_OK ? "200 OK" : "503 Service Unavailable", type, str_buf_view(&content), head);
}

/* Is the head of the request there? Then it is answered. */
static void look_at_request(HttpServer *server, Client *client)
{
    const char *end = memmem(client->request, client->size, "\r\n\r\n", 4);

    if (!end)
        end = memmem(client->request, client->size, "\n\n", 2);
    if (!end) {
        if (client->size == REQUEST_MAX)
            refuse(client, "431 Request Header Fields Too Large");
        return;
    }
    size_t size = strcspn(client->request, "\r\n");
    if (memchr(client->request, 0, (size_t)(end - client->request)))
        refuse(client, "400 Bad Request");
    else
        answer(server, client, (Str){client->request, size});
}

/* False: it is gone. */
static bool receive(HttpServer *server, Client *client)
{
    bool asks = client->state == CLIENT_ASKS;
    char nothing[4096];
    ssize_t got = asks ? recv(client->fd, client->request + client->size, REQUEST_MAX - client->size, 0) : recv(client->fd, nothing, sizeof nothing, 0);

    if (got < 0)
        return errno == EAGAIN || errno == EINTR;
    if (got == 0)
        return false;
    if (asks) {
        client->size += (size_t)got;
        look_at_request(server, client);
    }
    return true;
}

static bool transmit(Client *client)
{
    ssize_t sent = send(client->fd, client->reply.ptr + client->sent, client->reply.size - client->sent, MSG_NOSIGNAL);

    if (sent < 0)
        return errno == EAGAIN || errno == EINTR;
    client->sent += (size_t)sent;
    if (client->sent == client->reply.size) {
        shutdown(client->fd, SHUT_WR);
        client->state = CLIENT_LINGERS;
        client->until_ms = clock_ms() + LINGER_MS;
    }
    return true;
}

/* ---- all of them ---- */

static void drop_client(HttpServer *server, int index)
{
    free_client(server->clients[index]);
    server->clients[index] = server->clients[--server->client_count];
}

static void make_room(HttpServer *server)
{
    int oldest = 0;

    for (int i = 1; i < server->client_count; i++)
        if (server->clients[i]->since_ms < server->clients[oldest]->since_ms)
            oldest = i;
    drop_client(server, oldest);
}

static void welcome(HttpServer *server)
{
    int fd = accept4(server->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

    if (fd < 0) {
        if (errno == EMFILE || errno == ENFILE) { /* it stays there to be accepted: not in a busy loop */
            if (server->client_count)
                make_room(server);
            else
                poll(NULL, 0, 100);
        }
        return;
    }
    if (server->client_count == CLIENTS_MAX)
        make_room(server);
    Client *client = silt_alloc(sizeof *client);
    client->fd = fd;
    client->since_ms = clock_ms();
    client->until_ms = client->since_ms + REQUEST_MS;
    server->clients[server->client_count++] = client;
}

/* How long nothing has to be closed. */
static int wait_ms(const HttpServer *server)
{
    int64_t now = clock_ms(), least = REPLY_MS;

    if (!server->client_count)
        return -1;
    for (int i = 0; i < server->client_count; i++) {
        int64_t left = server->clients[i]->until_ms - now;
        least = left < least ? left : least;
    }
    return least > 0 ? (int)least : 0;
}

static void serve_clients(HttpServer *server, const struct pollfd *polled)
{
    int64_t now = clock_ms();

    for (int i = server->client_count - 1; i >= 0; i--) { /* the last one takes the place of one that goes */
        Client *client = server->clients[i];
        bool stays = true;
        if (polled[i].revents && client->state != CLIENT_IS_TOLD)
            stays = receive(server, client);
        if (stays && client->state == CLIENT_IS_TOLD)
            stays = transmit(client);
        if (!stays || now >= client->until_ms)
            drop_client(server, i);
    }
}

static void *serve(void *arg)
{
    HttpServer *server = arg;
    struct pollfd polled[CLIENTS_MAX + 2];

    for (;;) {
        int count = server->client_count;
        for (int i = 0; i < count; i++)
            polled[i] = (struct pollfd){.fd = server->clients[i]->fd, .events = server->clients[i]->state == CLIENT_IS_TOLD ? POLLOUT : POLLIN};
        polled[count] = (struct pollfd){.fd = server->listener, .events = POLLIN};
        polled[count + 1] = (struct pollfd){.fd = server->wake, .events = POLLIN};
        if (poll(polled, (nfds_t)count + 2, wait_ms(server)) < 0)
            continue;
        if (polled[count + 1].revents)
            break;
        serve_clients(server, polled);
        if (polled[count].revents)
            welcome(server);
    }
    return NULL;
}

/* ---- where ---- */

static int listen_at(const struct addrinfo *at)
{
    int on = 1, fd = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, at->ai_protocol);

    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, at->ai_addr, at->ai_addrlen) == 0 && listen(fd, CLIENTS_MAX) == 0)
        return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

static int open_listener(const char *address, int *out, SiltErr *err)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *list;
    NetAddress parts;

    SILT_TRY(net_address_parse(address, &parts, err));
    int failed = getaddrinfo(parts.host, parts.port, &hints, &list);
    if (failed)
        return silt_fail(err, SILT_CONFIG, "could not listen at \"%s\": %s", address, failed == EAI_SYSTEM ? strerror(errno) : gai_strerror(failed));
    *out = listen_at(list);
    int error = errno;
    freeaddrinfo(list);
    if (*out < 0)
        return silt_fail(err, SILT_CONFIG, "could not listen at \"%s\": %s", address, strerror(error));
    return 0;
}

static int port_of(int listener)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } at = {0};
    socklen_t size = sizeof at;

    getsockname(listener, &at.any, &size);
    return ntohs(at.any.sa_family == AF_INET6 ? at.v6.sin6_port : at.v4.sin_port);
}

int http_serve(const char *address, HttpAnswer handler, void *self, HttpServer **out, SiltErr *err)
{
    int listener;

    SILT_TRY(open_listener(address, &listener, err));
    HttpServer *server = silt_alloc(sizeof *server);
    *server = (HttpServer){.listener = listener, .wake = eventfd(0, EFD_CLOEXEC), .port = port_of(listener), .answer = handler, .self = self};
    int failed = server->wake < 0 ? errno : pthread_create(&server->thread, NULL, serve, server);
    if (failed) {
        close(listener);
        if (server->wake >= 0)
            close(server->wake);
        free(server);
        return silt_fail_errno(err, failed, "could not start a thread that listens at \"%s\"", address);
    }
    *out = server;
    return 0;
}

int http_port(const HttpServer *server)
{
    return server->port;
}

void http_stop(HttpServer *server)
{
    if (!server)
        return;
    ssize_t written = write(server->wake, &(uint64_t){1}, sizeof(uint64_t));
    silt_assert(written == sizeof(uint64_t));
    pthread_join(server->thread, NULL);
    while (server->client_count)
        drop_client(server, 0);
    close(server->listener);
    close(server->wake);
    free(server);
}
