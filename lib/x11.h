/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/x11.h - the setup that begins an X11 connection, and files of cookies
 *
 * A client begins with 12 bytes: byte order, version, and the lengths of an authorization's name
 * and data; both follow, padded to multiples of four bytes. The cookie is the data. */
#pragma once

#include "lib/fail.h"

#define X11_COOKIE      "MIT-MAGIC-COOKIE-1"
#define X11_COOKIE_SIZE 16
#define X11_HEAD        12
#define X11_SETUP_MAX   512 /* bytes of a setup; more is refused */
#define X11_PORT        6000

/* --x11: nodes of the job that forward; JobSpec.x11 */
enum x11_nodes { X11_NONE, X11_ALL, X11_BATCH, X11_FIRST, X11_LAST };

/* Returns how many of the size bytes received belong to the setup. 0: incomplete; -EBADMSG: not a
   setup. */
ssize_t x11_setup_size(const uint8_t *data, size_t size);
/* True if setup (complete) has the cookie. */
bool x11_setup_shows(const uint8_t *setup, const uint8_t cookie[X11_COOKIE_SIZE]);
/* Sets ret to the 12 bytes of setup, changed to announce no authorization. */
void x11_setup_bare(const uint8_t *setup, uint8_t ret[X11_HEAD]);
/* Builds a setup of the 12 bytes and the cookie; returns the number of bytes in ret. */
size_t x11_setup_with(const uint8_t head[X11_HEAD], const uint8_t cookie[X11_COOKIE_SIZE],
                uint8_t ret[X11_SETUP_MAX]);
/* Builds a server's refusal of a setup; returns the number of bytes in ret. */
size_t x11_setup_refusal(const uint8_t *setup, const char *reason, uint8_t ret[X11_SETUP_MAX]);

/* The forwarding end, as seen by the job's node. Attaches are numbered from 1 in order, since their
   end and their messages arrive by different connections; 0: an earlier build without numbers. */
struct x11_end {
        uint32_t attached, over; /* newest attach; last attach that has ended */
        bool gone;               /* the newest attach has ended, no later one has sent anything */
};
/* Records the end of attach n (0: the current one). false: a later attach has begun. */
bool x11_end_gone(struct x11_end *e, uint32_t n);
void x11_end_there(struct x11_end *e, uint32_t n); /* records a message of attach n */

/* Returns the bytes of a .Xauthority file with the cookie for display number display on all hosts;
   the caller frees. */
uint8_t *x11_authority(unsigned display, const uint8_t cookie[X11_COOKIE_SIZE], size_t *ret_size);

/* "host:10.0" is the server at port 6010 of host; ":0" and "unix:0" the local one at
   /tmp/.X11-unix/X0: *ret_host is NULL then, else the caller frees. -EINVAL: other text. */
int x11_display_parse(const char *text, char **ret_host, unsigned *ret_number);
/* Reads the first cookie of lines as xauth prints: "NAME MIT-MAGIC-COOKIE-1 00112233...". false:
   none. */
bool x11_cookie_parse(const char *lines, uint8_t ret[X11_COOKIE_SIZE]);
