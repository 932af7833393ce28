/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/pmi/tcp_user.h - owner of a loopback connection, according to the kernel */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* fd: an accepted IPv4 TCP connection from this host and network namespace. Returns true if the
   other socket belongs to uid; false for another user, or if the kernel does not say. */
bool tcp_peer_is(int fd, uid_t uid);
