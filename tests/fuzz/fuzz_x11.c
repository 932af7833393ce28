/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program says first on an X11 connection; DISPLAY; what xauth prints. */
#include "lib/x11.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        uint8_t cookie[X11_COOKIE_SIZE] = { 0 }, head[X11_HEAD], out[X11_SETUP_MAX];
        _cleanup_free_ char *text = xmalloc(size + 1), *host = NULL;
        unsigned number;
        ssize_t n = x11_setup_size(data, size);

        if (n > (ssize_t)size || n > X11_SETUP_MAX)
                abort();
        if (n > 0) {
                (void)x11_setup_shows(data, cookie);
                (void)x11_setup_refusal(data, "no", out);
                x11_setup_bare(data, head);
                size_t with = x11_setup_with(head, cookie, out);
                if (x11_setup_size(out, with) != (ssize_t)with || !x11_setup_shows(out, cookie))
                        abort();
        }
        memcpy(text, data, size);
        text[size] = 0;
        (void)x11_display_parse(text, &host, &number);
        (void)x11_cookie_parse(text, cookie);
        return 0;
}
