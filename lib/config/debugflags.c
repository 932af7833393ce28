/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/config/debugflags.h"
#include "lib/wordlist.h"

#include <strings.h>

static const struct {
        const char *name;
        unsigned flag; /* 0: no effect in Slumber */
} words[] = {
        { "Accrue", 0 },
        { "Agent", 0 },
        { "AuditRPCs", 0 },
        { "AuditTLS", 0 },
        { "Backfill", 0 },
        { "BackfillMap", 0 },
        { "BurstBuffer", 0 },
        { "Cgroup", 0 },
        { "ConMgr", 0 },
        { "CPU_Bind", 0 },
        { "CpuFrequency", 0 },
        { "Data", 0 },
        { "DBD_Agent", 0 },
        { "DB_Archive", 0 },
        { "DB_Assoc", 0 },
        { "DB_Event", 0 },
        { "DB_Job", 0 },
        { "DB_QOS", 0 },
        { "DB_Query", 0 },
        { "DB_Reservation", 0 },
        { "DB_Resource", 0 },
        { "DB_Step", 0 },
        { "DB_TRES", 0 },
        { "DB_Usage", 0 },
        { "DB_WCKey", 0 },
        { "Dependency", 0 },
        { "Elasticsearch", 0 },
        { "Energy", 0 },
        { "ExtSensors", 0 },
        { "Federation", 0 },
        { "FrontEnd", 0 },
        { "Gang", DEBUG_GANG },
        { "GLOB_SILENCE", 0 },
        { "Gres", 0 },
        { "Hetjob", 0 },
        { "Interconnect", 0 },
        { "JobAccountGather", 0 },
        { "JobComp", 0 },
        { "JobContainer", 0 },
        { "License", 0 },
        { "Metrics", 0 },
        { "MPI", 0 },
        { "Namespace", 0 },
        { "Network", 0 },
        { "NetworkRaw", 0 },
        { "NO_CONF_HASH", 0 },
        { "NodeFeatures", 0 },
        { "Power", DEBUG_POWER },
        { "Priority", 0 },
        { "Profile", 0 },
        { "Protocol", 0 },
        { "Reservation", 0 },
        { "Route", 0 },
        { "Sack", 0 },
        { "Script", 0 },
        { "SelectType", 0 },
        { "Steps", 0 },
        { "Switch", 0 },
        { "thread", 0 },
        { "TimeCray", 0 },
        { "TLS", 0 },
        { "TraceJobs", 0 },
        { "Triggers", 0 },
        { "WorkQueue", 0 },
};

int debug_flags_parse(const char *text, unsigned *ret, char **ret_unused, struct fail *fail) {
        _cleanup_free_ char *unused = NULL;
        unsigned flags = 0;

        for_each_word(w, text, ", ") {
                size_t i = 0;
                while (i < ELEMENTSOF(words) && strcasecmp(words[i].name, w) != 0)
                        i++;
                if (i == ELEMENTSOF(words))
                        return fail_set(fail, -EINVAL, "there is no debug flag \"%.100s\"", w);
                flags |= words[i].flag;
                if (!words[i].flag)
                        text_add_word(&unused, ",", "%s", words[i].name);
        }
        *ret = flags;
        *ret_unused = TAKE(unused);
        return 0;
}

char *debug_flags_text(unsigned flags) {
        char *text = NULL;

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (words[i].flag && flags & words[i].flag)
                        text_add_word(&text, ",", "%s", words[i].name);
        return text;
}
