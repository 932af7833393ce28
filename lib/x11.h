/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/x11.h - what X11 says before a connection is used, and files of cookies
 *
 * A client begins with 12 bytes: byte order, version, the lengths of an authorization's name and
 * data; both follow, padded to four bytes each.  The cookie is such data. */
#pragma once

#include "lib/fail.h"

#define X11_COOKIE      "MIT-MAGIC-COOKIE-1"
#define X11_COOKIE_SIZE 16
#define X11_HEAD        12
#define X11_SETUP_MAX   512 /* bytes of what a client says first; more is refused */
#define X11_PORT        6000

/* --x11: on which nodes of the job; JobSpec.x11 */
enum x11_nodes { X11_NONE, X11_ALL, X11_BATCH, X11_FIRST, X11_LAST };

/* Of the first size bytes that a client has sent: how many belong to its beginning.  0: not all of
   it has come; -EBADMSG: it is none. */
ssize_t x11_setup_size(const uint8_t *data, size_t size);
/* setup, which is whole, shows that cookie. */
bool x11_setup_shows(const uint8_t *setup, const uint8_t cookie[X11_COOKIE_SIZE]);
/* The 12 bytes of setup that say that no authorization follows. */
void x11_setup_bare(const uint8_t *setup, uint8_t ret[X11_HEAD]);
/* Those with the cookie behind them; returns how many bytes ret has. */
size_t x11_setup_with(const uint8_t head[X11_HEAD], const uint8_t cookie[X11_COOKIE_SIZE],
                uint8_t ret[X11_SETUP_MAX]);
/* What a server answers to a setup that it does not accept; returns how many bytes ret has. */
size_t x11_setup_refusal(const uint8_t *setup, const char *reason, uint8_t ret[X11_SETUP_MAX]);

/* What forwards, as a node knows it.  Its attaches have numbers in their order, from 1 on, as their
   ends and what they say come by different ways; 0: an earlier build, which has none. */
struct x11_end {
        uint32_t attached, over; /* the newest attach; up to which they have ended */
        bool gone;               /* the newest one has ended, and no other one has come yet */
};
/* Attach number n, or with 0 whichever there is, has ended.  false: another one has come since. */
bool x11_end_gone(struct x11_end *e, uint32_t n);
void x11_end_there(struct x11_end *e, uint32_t n); /* something comes by attach n */

/* A file (.Xauthority) with that cookie for all servers of that display's number; returns its
   bytes, which the caller frees. */
uint8_t *x11_authority(unsigned display, const uint8_t cookie[X11_COOKIE_SIZE], size_t *ret_size);

/* "host:10.0" is the server at port 6010 of host; ":0" and "unix:0" the one of this host that
   listens at /tmp/.X11-unix/X0: *ret_host is NULL then, else the caller's.  -EINVAL for others. */
int x11_display_parse(const char *text, char **ret_host, unsigned *ret_number);
/* "NAME  MIT-MAGIC-COOKIE-1  00112233..." in lines, as xauth prints them: the first cookie.  false:
   there is none. */
bool x11_cookie_parse(const char *lines, uint8_t ret[X11_COOKIE_SIZE]);
