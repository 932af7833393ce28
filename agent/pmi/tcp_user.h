/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/pmi/tcp_user.h - whose a connection on the loopback is, as the kernel says */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* fd: an accepted TCP connection of IPv4, from a socket of this host and network namespace.  True
   if that socket belongs to uid; false for another user's, and where the kernel does not know. */
bool tcp_peer_is(int fd, uid_t uid);
