#pragma once
/* io/net.h - addresses as people write them, and datagrams that nobody waits for */
#include "base/err.h"
#include "base/str.h"

typedef struct NetAddress {
    char host[256], port[8]; /* NUL-terminated */
} NetAddress;

/* HOST:PORT, [v6]:PORT, or :PORT and PORT, which mean 127.0.0.1. CONFIG: it is none. */
int net_address_parse(const char *text, NetAddress *out, SiltErr *err);

typedef struct NetSender NetSender;

/* To an address, looked up once. CONFIG: it is none, or there is no such host. */
int net_sender_new(const char *address, NetSender **out, SiltErr *err);
void net_sender_free(NetSender *sender); /* NULL allowed */
/* One datagram over UDP; lost when it cannot be sent at once. Any thread. */
void net_send(NetSender *sender, Str datagram);
