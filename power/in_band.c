/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library blocks, and a busy BMC may take seconds: therefore a process beside slumberd, which
 * keeps the device open and reads only on request. */
#include "power/in_band.h"

#include <signal.h>
#include <sys/prctl.h>

#include "lib/wire.h"

struct in_band {
        struct power_bmc bmc;
        void *session;
        char address[IPMI_ADDRESS_SIZE], mac[MAC_TEXT_SIZE];
        bool no_watts; /* not supported: not asked again */
};

static bool read_watts(struct in_band *b, double *ret) {
        struct power_cause cause = { 0 };

        if (b->no_watts)
                return false;
        int r = power_driver_ipmi()->watts(b->session, ret, &cause);
        b->no_watts = r < 0 && cause.fault == POWER_FAULT_REFUSED && r != -ENODATA;
        return r >= 0;
}

static int in_band_report(struct in_band *b, struct wire *w) {
        Slumber__BmcReport m = SLUMBER__BMC_REPORT__INIT;
        Slumber__Number watts = SLUMBER__NUMBER__INIT;
        double value = 0;

        if (!*b->address)
                (void)ipmi_lan_address(b->session, b->address, b->mac);
        m.address = b->address;
        m.mac = b->mac;
        if (read_watts(b, &value)) {
                watts.value = (uint64_t)(value + 0.5);
                m.watts = &watts;
        }
        ENVELOPE(env, BMC_REPORT, bmc_report, &m);
        return wire_send(w, &env);
}

int power_in_band(int fd, const char *device) {
        struct in_band b = { .bmc = { .node = (char *)"", .address = (char *)(uintptr_t)device } };
        struct wire *w = wire_new(fd);
        struct power_cause cause = { 0 };
        int r;

        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        r = ipmi_open_in_band(&b.bmc, &b.session, &cause);
        while (r >= 0) {
                Envelope *env = NULL;
                r = in_band_report(&b, w);
                if (r >= 0)
                        r = wire_receive(w, USEC_INFINITY, &env);
                envelope_freep(&env);
        }
        return r < 0;
}
