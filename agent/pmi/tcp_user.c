/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/pmi/tcp_user.h"

#include "lib/base.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>

/* Attempts to find a connection: the table changes during reading, and a row may be missed. */
#define READINGS 3

struct ends {
        struct sockaddr_in here, there;
};

/* Compares a row of /proc/net/tcp: "N: LOCAL:PORT REMOTE:PORT STATE TX:RX TR:WHEN RETRANSMITS
   UID", with addresses in memory order. */
static bool row_is(const char *row, const struct ends *e, uid_t *ret) {
        uint32_t local, remote;
        unsigned local_port, remote_port, uid;

        if (sscanf(row, " %*u: %" SCNx32 ":%x %" SCNx32 ":%x %*x %*x:%*x %*x:%*x %*x %u", &local,
                            &local_port, &remote, &remote_port, &uid) != 5)
                return false;
        *ret = uid;
        return local == e->there.sin_addr.s_addr && local_port == ntohs(e->there.sin_port) &&
               remote == e->here.sin_addr.s_addr && remote_port == ntohs(e->here.sin_port);
}

static bool tcp_find_user(const struct ends *e, uid_t *ret) {
        FILE *f = fopen("/proc/self/net/tcp", "re");
        char row[256];
        bool found = false;

        while (f && !found && fgets(row, sizeof row, f))
                found = row_is(row, e, ret);
        if (f)
                fclose(f);
        return found;
}

bool tcp_peer_is(int fd, uid_t uid) {
        struct ends e = { 0 };
        socklen_t here = sizeof e.here, there = sizeof e.there;
        uid_t its;

        if (getsockname(fd, (struct sockaddr *)&e.here, &here) < 0 ||
                        getpeername(fd, (struct sockaddr *)&e.there, &there) < 0)
                return false;
        for (int i = 0; i < READINGS; i++)
                if (tcp_find_user(&e, &its))
                        return its == uid;
        return false;
}
