/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "power/name.h"

#include <string.h>

#include "lib/base.h"

int power_name_look_up(const char *address, int type, struct addrinfo **ret) {
        const struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = type };
        const char *colon = strrchr(address, ':');
        _cleanup_free_ char *host = xstrndup(address,
                        colon ? (size_t)(colon - address) : strlen(address));
        struct addrinfo *found;
        int code = getaddrinfo(host, colon ? colon + 1 : NULL, &hints, &found);

        if (code != 0)
                return code;
        if (ret)
                *ret = found;
        else
                freeaddrinfo(found);
        return 0;
}

enum power_fault power_name_fault(int code) {
        /* 0: not found before, found now */
        if (code == EAI_AGAIN || code == EAI_FAIL || code == EAI_SYSTEM)
                return POWER_FAULT_NAMES;
        return code == 0 || code == EAI_MEMORY ? POWER_FAULT_BUSY : POWER_FAULT_CONFIG;
}
