/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/power_status.h - reads BMCs with a child, "slumber-power status|watts|check
 * --json": a slow BMC delays nothing else */
#pragma once

#include "lib/fail.h"

#include <systemd/sd-event.h>

struct power_status;

enum power_reading_kind {
        POWER_READ_OFF,
        POWER_READ_ON,
        POWER_READ_FAILED, /* error says why */
        POWER_READ_NO_BMC, /* the node is not in power.yaml */
};

struct power_reading {
        const char *node, *error;
        const char *wrong; /* set by a check: why the BMC belongs to a different node; NULL */
        enum power_reading_kind kind;
        bool silent;  /* failed because the BMC did not answer in time */
        double watts; /* below 0: not read */
};

struct power_status_request {
        const char *program; /* slumber-power's path */
        const char *power_file, *slurm_conf;
        const char *hostlist;
        enum power_status_verb {
                POWER_STATUS_POWER,
                POWER_STATUS_WATTS, /* power consumption instead of on or off */
                POWER_STATUS_CHECK, /* power, and whether the BMC belongs to the node */
        } verb;
        /* duration: a BMC that has not answered by then has failed; a child still running after
           twice the duration is killed */
        usec_t deadline;
};

/* Called once, when the child has ended, with a list valid during the call, or with error set and
   no list; the result of power_status_start() is freed afterwards. */
typedef void (*power_status_done_t)(const struct power_reading *list, size_t n, const char *error,
                void *user);
int power_status_start(sd_event *event, const struct power_status_request *req,
                power_status_done_t done, void *user, struct power_status **ret, struct fail *fail);
/* Kills the child; done() is not called. */
struct power_status *power_status_free(struct power_status *s); /* takes NULL, returns NULL */

/* Parses the output of slumber-power.  Unknown entries are left out; the list borrows from
   *ret_root, a json_object. */
struct json_object;
int power_status_parse(const char *text, struct json_object **ret_root,
                struct power_reading **ret_list, size_t *ret_n, struct fail *fail);
