/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/x11.h"

#define FAMILY_WILD 0xffff /* entry of .Xauthority for all hosts */
#define NUMBER_MAX  (65535u - X11_PORT)

/* Offsets within the 12 bytes. */
enum { ORDER, MAJOR = 2, MINOR = 4, NAME_LENGTH = 6, DATA_LENGTH = 8 };

static size_t x11_padded_size(size_t n) {
        return (n + 3) & ~(size_t)3;
}

static unsigned x11_get_16(const uint8_t *head, size_t at) {
        return head[ORDER] == 'B' ? (unsigned)head[at] << 8 | head[at + 1]
                                  : (unsigned)head[at + 1] << 8 | head[at];
}

static void x11_put_16(uint8_t *to, bool big, size_t value) {
        to[big ? 0 : 1] = (uint8_t)(value >> 8);
        to[big ? 1 : 0] = (uint8_t)value;
}

/* ---- the setup of a connection ---- */

ssize_t x11_setup_size(const uint8_t *data, size_t size) {
        if (size && data[ORDER] != 'B' && data[ORDER] != 'l')
                return -EBADMSG;
        if (size < X11_HEAD)
                return 0;
        size_t whole = X11_HEAD + x11_padded_size(x11_get_16(data, NAME_LENGTH)) +
                       x11_padded_size(x11_get_16(data, DATA_LENGTH));
        if (whole > X11_SETUP_MAX)
                return -EBADMSG;
        return size < whole ? 0 : (ssize_t)whole;
}

bool x11_setup_shows(const uint8_t *setup, const uint8_t cookie[X11_COOKIE_SIZE]) {
        unsigned name = x11_get_16(setup, NAME_LENGTH), data = x11_get_16(setup, DATA_LENGTH);
        const uint8_t *shown = setup + X11_HEAD + x11_padded_size(name);
        uint8_t other = 0;

        if (name != strlen(X11_COOKIE) || memcmp(setup + X11_HEAD, X11_COOKIE, name) != 0 ||
                        data != X11_COOKIE_SIZE)
                return false;
        for (size_t i = 0; i < X11_COOKIE_SIZE; i++) /* in constant time */
                other |= shown[i] ^ cookie[i];
        return other == 0;
}

void x11_setup_bare(const uint8_t *setup, uint8_t ret[X11_HEAD]) {
        memcpy(ret, setup, X11_HEAD);
        memset(ret + NAME_LENGTH, 0, 4);
}

size_t x11_setup_with(const uint8_t head[X11_HEAD], const uint8_t cookie[X11_COOKIE_SIZE],
                uint8_t ret[X11_SETUP_MAX]) {
        size_t name = strlen(X11_COOKIE), behind = X11_HEAD + x11_padded_size(name);
        bool big = head[ORDER] == 'B';

        memset(ret, 0, behind);
        memcpy(ret, head, X11_HEAD);
        x11_put_16(ret + NAME_LENGTH, big, name);
        x11_put_16(ret + DATA_LENGTH, big, X11_COOKIE_SIZE);
        memcpy(ret + X11_HEAD, X11_COOKIE, name);
        memcpy(ret + behind, cookie, X11_COOKIE_SIZE);
        return behind + X11_COOKIE_SIZE;
}

/* Layout: Failed, length of the reason, version, number of words that follow, the reason. */
size_t x11_setup_refusal(const uint8_t *setup, const char *reason, uint8_t ret[X11_SETUP_MAX]) {
        size_t n = MIN(strlen(reason), (size_t)UINT8_MAX);
        bool big = setup[ORDER] == 'B';

        memset(ret, 0, 8 + x11_padded_size(n));
        ret[1] = (uint8_t)n;
        x11_put_16(ret + 2, big, x11_get_16(setup, MAJOR));
        x11_put_16(ret + 4, big, x11_get_16(setup, MINOR));
        x11_put_16(ret + 6, big, x11_padded_size(n) / 4);
        memcpy(ret + 8, reason, n);
        return 8 + x11_padded_size(n);
}

/* ---- the forwarding end ---- */

bool x11_end_gone(struct x11_end *e, uint32_t n) {
        if (n && n < e->attached)
                return false;
        e->over = MAX(e->over, n);
        e->gone = true;
        return true;
}

void x11_end_there(struct x11_end *e, uint32_t n) {
        e->attached = MAX(e->attached, n);
        if (!n || n > e->over)
                e->gone = false;
}

/* ---- cookies ---- */

static void write_counted(FILE *f, const void *data, size_t size) {
        uint8_t length[2];

        x11_put_16(length, true, size);
        fwrite(length, 1, sizeof length, f);
        fwrite(data, 1, size, f);
}

uint8_t *x11_authority(unsigned display, const uint8_t cookie[X11_COOKIE_SIZE], size_t *ret_size) {
        uint8_t family[2];
        char number[16], *data = NULL;
        FILE *f = memstream_open(&data, ret_size);

        snprintf(number, sizeof number, "%u", display);
        x11_put_16(family, true, FAMILY_WILD);
        fwrite(family, 1, sizeof family, f);
        write_counted(f, "", 0);
        write_counted(f, number, strlen(number));
        write_counted(f, X11_COOKIE, strlen(X11_COOKIE));
        write_counted(f, cookie, X11_COOKIE_SIZE);
        memstream_close(f);
        return (uint8_t *)data;
}

int x11_display_parse(const char *text, char **ret_host, unsigned *ret_number) {
        const char *colon = strrchr(text, ':'), *host = text;
        size_t size = colon ? (size_t)(colon - text) : 0;

        if (!colon || (colon > text && colon[-1] == ':')) /* DECnet */
                return -EINVAL;
        size_t digits = strspn(colon + 1, "0123456789");
        const char *rest = colon + 1 + digits;
        if (digits == 0 || digits > 5 ||
                        (*rest && (*rest != '.' || rest[1 + strspn(rest + 1, "0123456789")])))
                return -EINVAL;
        unsigned long number = strtoul(colon + 1, NULL, 10);
        if (number > NUMBER_MAX)
                return -EINVAL;
        if (size > 2 && host[0] == '[' && host[size - 1] == ']') {
                host++;
                size -= 2;
        }
        bool here = size == 0 || (size == 4 && strncmp(host, "unix", 4) == 0);
        *ret_host = here ? NULL : xasprintf("%.*s", (int)size, host);
        *ret_number = (unsigned)number;
        return 0;
}

static bool read_hex(const char *text, uint8_t ret[X11_COOKIE_SIZE]) {
        for (size_t i = 0; i < X11_COOKIE_SIZE; i++) {
                unsigned byte;
                if (strspn(text + 2 * i, "0123456789abcdefABCDEF") < 2 ||
                                sscanf(text + 2 * i, "%2x", &byte) != 1)
                        return false;
                ret[i] = (uint8_t)byte;
        }
        return true;
}

bool x11_cookie_parse(const char *lines, uint8_t ret[X11_COOKIE_SIZE]) {
        for (const char *p = lines; (p = strstr(p, X11_COOKIE));) {
                p += strlen(X11_COOKIE);
                if (*p == ' ' && read_hex(p + strspn(p, " "), ret))
                        return true;
        }
        return false;
}
