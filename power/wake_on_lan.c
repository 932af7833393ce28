/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wake-on-LAN: a magic packet switches a node on, a site's program switches it off.
 *
 * A magic packet has no answer, and a node that is off says nothing. With "check" (HOST:PORT) a
 * node is on if the port accepts or refuses a connection, and unknown without an answer: the packet
 * is then sent, and again at half of the deadline. Without "check" a command is done when sent;
 * only the node's registration confirms it, and the controller gets no result.
 *
 * "suspend" does the like for suspend to RAM: the node's own slumberd asks logind to suspend. */
#include "power/wake_on_lan.h"

#include <poll.h>
#include <sys/socket.h>

#include "power/command.h"
#include "power/name.h"
#include "power/via.h"

#define PACKETS 3 /* a packet may be lost; extra packets are harmless */

struct session {
        const struct power_bmc *bmc;
        usec_t until;
};

/* ---- packets ---- */

int secure_on_parse(const char *text, uint8_t ret[6]) {
        unsigned b[4];
        char end;

        if (isempty(text))
                return 0;
        if (mac_parse(text, ret) >= 0)
                return 6;
        if (strspn(text, "0123456789.") != strlen(text) ||
                        sscanf(text, "%3u.%3u.%3u.%3u%c", &b[0], &b[1], &b[2], &b[3], &end) != 4)
                return -EINVAL;
        for (size_t i = 0; i < 4; i++) {
                if (b[i] > 255)
                        return -EINVAL;
                ret[i] = (uint8_t)b[i];
        }
        return 4;
}

size_t magic_packet(const uint8_t mac[MAC_SIZE], const uint8_t *password, size_t password_size,
                uint8_t ret[MAGIC_PACKET_MAX]) {
        memset(ret, 0xff, 6);
        for (size_t i = 0; i < 16; i++)
                memcpy(ret + 6 + i * MAC_SIZE, mac, MAC_SIZE);
        if (password_size)
                memcpy(ret + 6 + 16 * MAC_SIZE, password, password_size);
        return 6 + 16 * MAC_SIZE + password_size;
}

static int wake_fault(const struct session *s, enum power_fault kind, const char *what,
                const char *why, struct power_cause *cause) {
        cause->fault = kind;
        return fail_set(&cause->fail, -EIO, "%s %s: %s%s", s->bmc->access->driver->noun,
                        s->bmc->node, what, why);
}

static int send_packets(const struct session *s, struct power_cause *cause) {
        uint8_t mac[MAC_SIZE], password[6], packet[MAGIC_PACKET_MAX];
        struct addrinfo *to;
        int r = 0;

        if (mac_parse(s->bmc->address, mac) < 0)
                return wake_fault(s, POWER_FAULT_CONFIG, "not a MAC address: ", s->bmc->address,
                                cause);
        int password_size = secure_on_parse(s->bmc->access->password, password);
        if (password_size < 0)
                return wake_fault(s, POWER_FAULT_CONFIG, "the SecureOn password is not written as ",
                                "aa:bb:cc:dd:ee:ff or 1.2.3.4", cause);
        size_t size = magic_packet(mac, password, (size_t)password_size, packet);
        r = power_name_look_up(s->bmc->access->broadcast, SOCK_DGRAM, &to);
        if (r != 0)
                return wake_fault(s, power_name_fault(r),
                                "broadcast cannot be resolved: ", s->bmc->access->broadcast, cause);
        _cleanup_close_ int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &(int){ 1 }, sizeof(int)) < 0)
                r = -errno;
        for (unsigned i = 0; i < PACKETS && r >= 0; i++)
                if (sendto(fd, packet, size, 0, to->ai_addr, to->ai_addrlen) < 0)
                        r = -errno;
        freeaddrinfo(to);
        return r < 0 ? wake_fault(s, POWER_FAULT_BUSY, "no packet can be sent: ", strerror(-r),
                                       cause)
                     : 0;
}

/* ---- driver functions ---- */

static int wol_open(const struct power_bmc *bmc, usec_t limit, void **ret_session,
                struct power_cause *cause) {
        struct session *s = xnew0(struct session, 1);

        *s = (struct session){ bmc, now_monotonic() + limit + POWER_LATE };
        *ret_session = s;
        return 0;
}

static usec_t wake_limit(const struct session *s) {
        usec_t now = now_monotonic();

        return MIN(s->bmc->access->timeout, s->until > now ? s->until - now : 0);
}

/* True if the port answers: a refusal, too, comes from a running system. */
static bool port_answers(const struct addrinfo *to, usec_t limit) {
        _cleanup_close_ int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        int error = 0;
        socklen_t size = sizeof error;

        if (fd < 0)
                return false;
        if (connect(fd, to->ai_addr, to->ai_addrlen) == 0)
                return true;
        if (errno != EINPROGRESS)
                return errno == ECONNREFUSED;
        struct pollfd p = { .fd = fd, .events = POLLOUT };
        if (poll(&p, 1, (int)(limit / USEC_PER_MSEC)) <= 0 ||
                        getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0)
                return false;
        return error == 0 || error == ECONNREFUSED;
}

static int wol_status(void *session, enum power_state *ret, struct power_cause *cause) {
        struct session *s = session;
        struct addrinfo *to;

        *ret = POWER_UNKNOWN;
        if (!s->bmc->unit)
                return 0;
        int r = power_name_look_up(s->bmc->unit, SOCK_STREAM, &to);
        if (r != 0)
                return wake_fault(s, power_name_fault(r),
                                "check cannot be resolved: ", s->bmc->unit, cause);
        if (port_answers(to, wake_limit(s)))
                *ret = POWER_IS_ON;
        freeaddrinfo(to);
        return 0;
}

/* Returns 1 if no state can be read back. */
static int wol_control(void *session, enum power_verb verb, struct power_cause *cause) {
        struct session *s = session;
        char answer[COMMAND_ANSWER_MAX + 1];
        char *argv[] = { s->bmc->access->program, (char *)(verb == POWER_SOFT ? "soft" : "off"),
                s->bmc->node, NULL };
        int r;

        if (verb == POWER_ON)
                r = send_packets(s, cause);
        else if (!argv[0])
                return wake_fault(s, POWER_FAULT_REFUSED,
                                "a node cannot be switched off by a packet, ",
                                "give off_program in power.yaml", cause);
        else
                r = power_command_run(argv, wake_limit(s), answer, cause);
        return r < 0 ? r : s->bmc->unit ? 0 : 1;
}

static void wol_init(void) {
}

/* ---- suspend ---- */

/* Suspends a node; a node that does not answer is asleep, or out of reach anyway. */
static int suspend_control(void *session, enum power_verb verb, struct power_cause *cause) {
        struct session *s = session;
        struct addrinfo *to;
        bool silent = false;
        int r;

        if (verb == POWER_ON)
                return wol_control(session, verb, cause);
        if (s->bmc->unit && power_name_look_up(s->bmc->unit, SOCK_STREAM, &to) == 0) {
                silent = !port_answers(to, wake_limit(s));
                freeaddrinfo(to);
        }
        r = silent ? 0
                   : power_ask_node(s->bmc->node, power_driver_logind_suspend(),
                                     s->until - MIN(s->until, now_monotonic()), cause);
        return r < 0 ? r : s->bmc->unit ? 0 : 1;
}

const struct power_driver *power_driver_suspend(void) {
        static const struct power_driver driver = {
                .name = "suspend",
                .noun = "suspend",
                .silence_is_off = true,
                .init = wol_init,
                .open = wol_open,
                .status = wol_status,
                .control = suspend_control,
                .close = free,
        };

        return &driver;
}

const struct power_driver *power_driver_wake_on_lan(void) {
        static const struct power_driver driver = {
                .name = "wake-on-lan",
                .noun = "wake-on-lan",
                .silence_is_off = true,
                .init = wol_init,
                .open = wol_open,
                .status = wol_status,
                .control = wol_control,
                .close = free,
        };

        return &driver;
}
