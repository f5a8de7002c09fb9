/* io/net.c - see net.h */
#include "io/net.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct NetSender {
    int fd;
};

int net_address_parse(const char *text, NetAddress *out, SiltErr *err)
{
    const char *colon = strrchr(text, ':'), *port = colon ? colon + 1 : text;
    Str host = {text, colon ? (size_t)(colon - text) : 0};
    int64_t number;

    if (host.size > 1 && host.ptr[0] == '[' && host.ptr[host.size - 1] == ']')
        host = (Str){host.ptr + 1, host.size - 2};
    else if (memchr(host.ptr, ':', host.size))
        host.size = sizeof out->host; /* v6 without brackets: which colon is it? */
    if (host.size >= sizeof out->host || !str_to_int64(str_of(port), &number) || number < 0 || number > 65535 || strlen(port) >= sizeof out->port) {
        silt_fail(err, SILT_CONFIG, "\"%s\" is no address", text);
        return silt_hint(err, "Write HOST:PORT, or :PORT for 127.0.0.1.");
    }
    snprintf(out->host, sizeof out->host, "%.*s", (int)host.size, host.ptr);
    if (!host.size)
        snprintf(out->host, sizeof out->host, "127.0.0.1");
    snprintf(out->port, sizeof out->port, "%s", port);
    return 0;
}

int net_sender_new(const char *address, NetSender **out, SiltErr *err)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM, .ai_flags = AI_NUMERICSERV}, *list;
    NetAddress parts;

    SILT_TRY(net_address_parse(address, &parts, err));
    int failed = getaddrinfo(parts.host, parts.port, &hints, &list);
    if (failed)
        return silt_fail(err, SILT_CONFIG, "could not find \"%s\": %s", address, failed == EAI_SYSTEM ? strerror(errno) : gai_strerror(failed));
    int fd = socket(list->ai_family, list->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, list->ai_protocol);
    bool connected = fd >= 0 && connect(fd, list->ai_addr, list->ai_addrlen) == 0;
    int error = errno;
    freeaddrinfo(list);
    if (!connected) {
        if (fd >= 0)
            close(fd);
        return silt_fail(err, SILT_CONFIG, "could not send to \"%s\": %s", address, strerror(error));
    }
    *out = silt_alloc(sizeof **out);
    (*out)->fd = fd;
    return 0;
}

void net_sender_free(NetSender *sender)
{
    if (!sender)
        return;
    close(sender->fd);
    free(sender);
}

void net_send(NetSender *sender, Str datagram)
{
    ssize_t sent = send(sender->fd, datagram.ptr, datagram.size, MSG_NOSIGNAL);

    (void)sent; /* numbers: the next ones come soon */
}
