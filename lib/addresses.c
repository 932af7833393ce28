/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/addresses.h"

#include "lib/hostlist.h"
#include "lib/timetext.h"

struct addresses {
        char **list;
        size_t n, allocated;
};

static bool address_is_known(const char *host, uint16_t port) {
        return !isempty(host) && port;
}

/* Returns how many of the first hosts fit into one row: equal ports, each name once (a host list
   drops duplicates). */
static size_t row_length(const char *const *hosts, const uint16_t *ports, size_t n) {
        _cleanup_(hostlist_freep) struct hostlist *seen = hostlist_new();
        size_t k = 0;

        while (k < n && address_is_known(hosts[k], ports[k]) && ports[k] == ports[0] &&
                        !hostlist_has(seen, hosts[k]))
                hostlist_push(seen, hosts[k++]);
        return k;
}

char **addresses_rows(const char *const *hosts, const uint16_t *ports, size_t n, size_t *ret_n) {
        char **rows = NULL;
        size_t used = 0, allocated = 0, any = 0;

        for (size_t i = 0; i < n;) {
                size_t length = row_length(hosts + i, ports + i, n - i);
                _cleanup_free_ char *text = length ? hostlist_compress(hosts + i, length) : NULL;

                GROW(rows, allocated, used);
                rows[used++] = text ? xasprintf("%s:%u", text, ports[i]) : xstrdup("");
                any += length;
                i += MAX(length, (size_t)1);
        }
        if (!any) {
                texts_free(TAKE(rows), used);
                used = 0;
        }
        *ret_n = used;
        return rows;
}

static void addresses_add(struct addresses *a, char *address) {
        GROW(a->list, a->allocated, a->n);
        a->list[a->n++] = address;
}

int address_split(const char *address, char **ret_host, uint16_t *ret_port) {
        const char *colon = strrchr(address, ':');
        uint64_t port;

        if (!colon || colon == address || uint_parse(colon + 1, 1, UINT16_MAX, &port) < 0)
                return -EINVAL;
        *ret_host = xstrndup(address, (size_t)(colon - address));
        *ret_port = (uint16_t)port;
        return 0;
}

static void addresses_add_row(struct addresses *a, const char *row) {
        _cleanup_(hostlist_freep) struct hostlist *hosts = NULL;
        _cleanup_free_ char *text = NULL;
        uint16_t port;

        if (address_split(row, &text, &port) < 0 || hostlist_parse(text, &hosts, NULL) < 0 ||
                        hostlist_count(hosts) == 0) {
                addresses_add(a, xstrdup(""));
                return;
        }
        for (size_t i = 0; i < hostlist_count(hosts); i++)
                addresses_add(a, xasprintf("%s:%u", hostlist_get(hosts, i), port));
}

struct addresses *addresses_parse(const char *const *rows, size_t n) {
        struct addresses *a = xnew0(struct addresses, 1);

        for (size_t i = 0; i < n; i++)
                addresses_add_row(a, rows[i]);
        return a;
}

struct addresses *addresses_free(struct addresses *a) {
        if (!a)
                return NULL;
        texts_free(a->list, a->n);
        free(a);
        return NULL;
}

const char *addresses_get(const struct addresses *a, size_t i) {
        return i < a->n ? a->list[i] : "";
}
