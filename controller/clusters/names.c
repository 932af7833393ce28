/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each look-up has its own thread, so that a dead name service delays no further look-ups; the
 * thread ends when the resolver gives up.  The last user, thread or loop, frees the look-up. */
#include "controller/clusters/names.h"

#include "lib/thread.h"

#include <netdb.h>
#include <stdatomic.h>
#include <sys/eventfd.h>

struct name_lookup {
        char *host;
        name_found_t *found;
        void *user;
        int done; /* eventfd written by the thread */
        sd_event_source *source;
        pthread_t thread;
        atomic_bool left; /* set by the thread or the loop when done with the look-up */
        char *addresses[NAME_ADDRESSES_MAX];
        size_t n;
        char *why; /* NULL: addresses were found */
};

/* Frees everything but source, which belongs to the loop. */
static void name_lookup_free(struct name_lookup *l) {
        if (l->done >= 0)
                close(l->done);
        for (size_t i = 0; i < l->n; i++)
                free(l->addresses[i]);
        free(l->why);
        free(l->host);
        free(l);
}

static void name_resolve(struct name_lookup *l) {
        const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
        struct addrinfo *list = NULL;
        char text[NI_MAXHOST];
        int r = getaddrinfo(l->host, NULL, &hints, &list);

        for (struct addrinfo *a = r == 0 ? list : NULL; a && l->n < NAME_ADDRESSES_MAX;
                        a = a->ai_next)
                if (getnameinfo(a->ai_addr, a->ai_addrlen, text, sizeof text, NULL, 0,
                                    NI_NUMERICHOST) == 0)
                        l->addresses[l->n++] = xstrdup(text);
        if (l->n == 0)
                l->why = xasprintf("cannot find the address of %s: %s", l->host,
                                r == 0            ? "it has none"
                                : r == EAI_SYSTEM ? strerror(errno)
                                                  : gai_strerror(r));
        if (r == 0)
                freeaddrinfo(list);
}

static void *name_thread(void *user) {
        struct name_lookup *l = user;
        uint64_t one = 1;

        name_resolve(l);
        if (write(l->done, &one, sizeof one) < 0)
                assert(errno == EAGAIN); /* the first write to an eventfd succeeds */
        if (atomic_exchange(&l->left, true))
                name_lookup_free(l);
        return NULL;
}

static int name_on_done(sd_event_source *source, int fd, uint32_t events, void *user) {
        struct name_lookup *l = user;

        (void)source, (void)fd, (void)events;
        l->source = sd_event_source_disable_unref(l->source);
        (void)pthread_join(l->thread, NULL);
        l->found(l->addresses, l->n, strempty(l->why), l->user);
        name_lookup_free(l);
        return 0;
}

int name_look_up(sd_event *event, const char *host, name_found_t *found, void *user,
                struct name_lookup **ret) {
        struct name_lookup *l = xnew0(struct name_lookup, 1);

        l->host = xstrdup(host);
        l->found = found;
        l->user = user;
        l->done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        int r = l->done < 0 ? -errno
                            : sd_event_add_io(event, &l->source, l->done, EPOLLIN, name_on_done, l);
        if (r >= 0)
                r = thread_start(&l->thread, "names", name_thread, l);
        if (r < 0) {
                sd_event_source_disable_unref(l->source);
                name_lookup_free(l);
                return r;
        }
        *ret = l;
        return 0;
}

struct name_lookup *name_lookup_drop(struct name_lookup *l) {
        if (!l)
                return NULL;
        l->source = sd_event_source_disable_unref(l->source);
        (void)pthread_detach(l->thread);
        if (atomic_exchange(&l->left, true))
                name_lookup_free(l);
        return NULL;
}
