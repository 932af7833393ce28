/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A module of ipmi_sim: DCMI Get Power Reading, with the watts read from a file at each request
 * ("-" in it: not measuring).
 *
 *   lan.conf:  loadlib "PATH/libdcmi.so" "FILE"
 *
 * Request: group extension DC, mode 1 (statistics), two bytes.  Answer, little-endian: watts now,
 * least, most, mean; a time stamp and a period of four bytes each; a byte with bit 6 set while
 * power is being measured. */
#include <stdio.h>
#include <string.h>

#include <OpenIPMI/lanserv.h>
#include <OpenIPMI/mcserv.h>
#include <OpenIPMI/msg.h>
#include <OpenIPMI/serv.h>

#define GROUP             0xdc
#define GET_POWER_READING 0x02
#define ACTIVE            0x40
#define INVALID_COMMAND   0xc1

int ipmi_sim_module_print_version(sys_data_t *sys, char *options);
int ipmi_sim_module_init(sys_data_t *sys, const char *options);

static char path[512];

static void on_request(lmc_data_t *mc, msg_t *msg, unsigned char *answer, unsigned int *size,
                void *userdata) {
        unsigned watts = 0, measured = 0;

        (void)mc;
        (void)userdata;
        answer[0] = INVALID_COMMAND;
        *size = 1;
        if (msg->cmd != GET_POWER_READING || msg->len < 2 || msg->data[1] != 1)
                return;
        FILE *f = fopen(path, "re");
        if (!f)
                return;
        measured = fscanf(f, "%u", &watts) == 1;
        fclose(f);
        memset(answer, 0, 19);
        answer[1] = GROUP;
        for (unsigned i = 0; i < 4; i++) { /* now, least, most, mean */
                answer[2 + 2 * i] = (unsigned char)watts;
                answer[3 + 2 * i] = (unsigned char)(watts >> 8);
        }
        answer[18] = measured ? ACTIVE : 0;
        *size = 19;
}

int ipmi_sim_module_print_version(sys_data_t *sys, char *options) {
        (void)sys;
        (void)options;
        printf("slumber dcmi\n");
        return 0;
}

int ipmi_sim_module_init(sys_data_t *sys, const char *options) {
        (void)sys;
        snprintf(path, sizeof path, "%s", options);
        ipmi_emu_register_group_extension_handler(GROUP, on_request, NULL);
        return 0;
}
