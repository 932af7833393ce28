/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A site's program as driver: PROGRAM on|off|soft|status|watts NODE [BMC].
 *
 * status prints on, off, changing or unknown; watts prints a number. Success of a command is, like
 * a BMC's acknowledgement, confirmed by reading the status. */
#include "power/command.h"

#include <math.h>

struct session {
        const struct power_bmc *bmc;
        usec_t until;
};

static int program_run(const struct session *s, const char *verb,
                char answer[COMMAND_ANSWER_MAX + 1], struct power_cause *cause) {
        char *argv[] = { s->bmc->access->program, (char *)verb, s->bmc->node, s->bmc->unit, NULL };
        usec_t now = now_monotonic();

        return power_command_run(argv,
                        MIN(s->bmc->access->timeout, s->until > now ? s->until - now : 0), answer,
                        cause);
}

static int program_open(const struct power_bmc *bmc, usec_t limit, void **ret_session,
                struct power_cause *cause) {
        struct session *s = xnew0(struct session, 1);

        *s = (struct session){ bmc, now_monotonic() + limit + POWER_LATE };
        *ret_session = s;
        return 0;
}

static int program_status(void *session, enum power_state *ret, struct power_cause *cause) {
        struct session *s = session;
        char answer[COMMAND_ANSWER_MAX + 1];
        int r = program_run(s, "status", answer, cause);

        if (r < 0)
                return r;
        int state = power_state_parse(answer);
        if (state < 0) {
                cause->fault = POWER_FAULT_REFUSED;
                return fail_set(&cause->fail, -EBADMSG,
                                "program %s status printed \"%.40s\", expected on, off, changing "
                                "or "
                                "unknown",
                                s->bmc->access->program, answer);
        }
        *ret = (enum power_state)state;
        return 0;
}

static int program_control(void *session, enum power_verb verb, struct power_cause *cause) {
        char answer[COMMAND_ANSWER_MAX + 1];

        return program_run(session, power_verb_text((int)verb), answer, cause);
}

static int program_watts(void *session, double *ret, struct power_cause *cause) {
        struct session *s = session;
        char answer[COMMAND_ANSWER_MAX + 1], *end;
        int r = program_run(s, "watts", answer, cause);

        if (r < 0)
                return r;
        double watts = strtod(answer, &end);
        if (end == answer || *end || !isfinite(watts) || watts < 0 || watts > POWER_WATTS_MAX) {
                cause->fault = POWER_FAULT_REFUSED;
                return fail_set(&cause->fail, -EBADMSG,
                                "program %s watts printed \"%.40s\", expected a number",
                                s->bmc->access->program, answer);
        }
        *ret = watts;
        return 0;
}

static void program_init(void) {
}

const struct power_driver *power_driver_program(void) {
        static const struct power_driver driver = {
                .name = "program",
                .noun = "program",
                .many = true,
                .init = program_init,
                .open = program_open,
                .status = program_status,
                .control = program_control,
                .watts = program_watts,
                .close = free,
        };

        return &driver;
}
