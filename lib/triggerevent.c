/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/triggerevent.h"

static const struct {
        const char *word;
        uint32_t event;
} words[] = {
        { "up", TRIGGER_UP },
        { "down", TRIGGER_DOWN },
        { "drained", TRIGGER_DRAINED },
        { "draining", TRIGGER_DRAINING },
        { "resume", TRIGGER_RESUME },
        { "fail", TRIGGER_FAIL },
        { "idle", TRIGGER_IDLE },
        { "time", TRIGGER_TIME },
        { "fini", TRIGGER_FINI },
        { "reconfig", TRIGGER_RECONFIG },
        { "primary_slurmctld_failure", TRIGGER_CTLD_FAILED },
        { "primary_slurmctld_resumed_operation", TRIGGER_CTLD_RESUMED },
        { "primary_slurmctld_resumed_control", TRIGGER_CTLD_STARTED },
        { "primary_slurmctld_acct_buffer_full", TRIGGER_ACCT_FULL },
};

char *trigger_events_text(uint32_t events) {
        char *text = NULL;
        size_t size, n = 0;
        FILE *f = memstream_open(&text, &size);

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (events & words[i].event)
                        fprintf(f, "%s%s", n++ ? "," : "", words[i].word);
        fputs(n ? "" : "unknown", f);
        memstream_close(f);
        return text;
}

uint32_t trigger_event_of(const char *word) {
        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (streq(words[i].word, word))
                        return words[i].event;
        return 0;
}
