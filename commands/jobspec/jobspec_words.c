/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, streams, environment, verbosity */
#include "commands/jobspec/jobspec_rows.h"

#include "commands/jobenv.h"
#include "lib/mailtype.h"
#include "lib/rlimits.h"
#include "lib/timetext.h"

#include <strings.h>

#define LOGIN_PATIENCE 120 /* seconds to wait for a login shell, as in Slurm */

static int option_set_mail_type(void *field, const char *value, struct fail *fail) {
        return mail_type_parse(value, field, fail);
}

static int option_set_open_mode(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;

        if (value[0] != 'a' && value[0] != 't')
                return job_option_invalid("open-mode", fail);
        o->append = value[0] == 'a';
        o->truncate = !o->append;
        return 0;
}

static int option_set_propagate(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;
        uint32_t wanted = RLIMITS_ALL;
        int r = value ? rlimits_parse(value, &wanted, fail) : 0;

        o->no_rlimits = ~wanted;
        o->rlimits_said = true;
        return r;
}

/* Sets "[seconds][S|L]"; 0 seconds: the default. */
static int option_set_get_user_env(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;
        size_t digits = value ? strspn(value, "0123456789") : 0;
        _cleanup_free_ char *number = xstrndup(value ? value : "", digits);
        uint64_t seconds = LOGIN_PATIENCE;

        if (digits && uint_parse(number, 0, 24 * 3600, &seconds) < 0)
                return job_option_invalid("get-user-env", fail);
        if (value && value[digits] && (!strchr("SL", value[digits]) || value[digits + 1]))
                return job_option_invalid("get-user-env", fail);
        o->login_env = true;
        o->login_patience = (seconds ? seconds : LOGIN_PATIENCE) * USEC_PER_SEC;
        o->login_mode = value && value[digits] ? value[digits] : 'L';
        return 0;
}

static int option_set_acct_frequency(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;
        uint64_t seconds = UINT64_MAX;

        if (sampling_parse(value, ACCT_FREQUENCY_NEVER - 1, &seconds) < 0)
                return fail_set(fail, -EINVAL, "Invalid --acctg-freq specification: %.200s", value);
        o->acct_frequency = seconds == UINT64_MAX ? 0
                            : seconds == 0        ? ACCT_FREQUENCY_NEVER
                                                  : (uint32_t)seconds;
        o->acct_frequency_text = value;
        return 0;
}

/* Makes a path absolute from this folder, wherever the job starts; the result is valid until the
   process ends. */
static int set_folder(void *field, const char *value) {
        _cleanup_free_ char *cwd = job_cwd();

        *(const char **)field = job_option_keep(
                        *value && *value != '/' ? xasprintf("%s/%s", cwd, value) : xstrdup(value));
        return 0;
}

static int option_set_chdir(void *field, const char *value, struct fail *fail) {
        return set_folder(field, value);
}

static int option_set_container(void *field, const char *value, struct fail *fail) {
        return set_folder(field, value);
}

DEFINE_ONLY(only_profile, "profile", "none")

/* clang-format off */
const struct job_row job_rows_words[] = {
        CALL(ALL | ENV(ALL) | CARRIED, "acctg-freq", 0, 0, option_set_acct_frequency, "[task=]seconds", "look so often at the memory of its tasks"),
        CALL(ALL | CARRIED, "chdir", 'D', AT(chdir), option_set_chdir, "folder", "where the job runs; default here"),
        WIRE_TEXT(ALL | CARRIED, "comment", 0, comment, "text", "words to keep with the job"),
        CALL(ALL | ENV(ALL) | CARRIED, "container", 0, WIRE(container), option_set_container, "path", "run in this OCI bundle, by the runtime of oci.conf"),
        TEXT(BOTH | CARRIED, "error", 'e', err, "file", "where standard error goes"),
        TEXT(BOTH | CARRIED, "export", 0, export, "list", "variables to hand over: ALL, NONE or names"),
        TEXT(JOB_SBATCH | CARRIED, "export-file", 0, export_file, "file|descriptor", "more variables: NAME=value, each ended by a null"),
        WIRE_TEXT(ALL | CARRIED, "extra", 0, extra, "text", "words for site programs"),
        CALL_OPT(JOB_SBATCH | CARRIED, "get-user-env", 0, 0, option_set_get_user_env, "seconds", "what a login shell has in its environment"),
        TEXT(ALL | CARRIED, "gid", 0, become.group, "group", "the job's group (root only)"),
        FLAG(JOB_SBATCH | ENV(JOB_SBATCH) | CARRIED, "ignore-pbs", 0, ignore_pbs, "do not read #PBS and #BSUB lines of the script"),
        TEXT(BOTH | CARRIED, "input", 'i', in, "file", "where standard input comes from"),
        TEXT(ALL | CARRIED, "job-name", 'J', name, "name", "the job's name"),
        CALL(ALL, "mail-type", 0, WIRE(mail_type), option_set_mail_type, "list",
             "mail at BEGIN, END, FAIL, REQUEUE, INVALID_DEPEND, ALL; TIME_LIMIT, TIME_LIMIT_50, _80, _90; "
             "of each of ARRAY_TASKS; NONE"),
        WIRE_TEXT(ALL, "mail-user", 0, mail_user, "user", "recipient; default: the job's user"),
        CALL(BOTH | ENV(BOTH) | CARRIED, "open-mode", 0, 0, option_set_open_mode, "append|truncate", "how output files are opened"),
        TEXT(BOTH | CARRIED, "output", 'o', out, "file", "where standard output goes"),
        FLAG(JOB_SBATCH | CARRIED, "parsable", 0, parsable, "print the job id alone"),
        CALL(ALL | ENV(ALL) | CARRIED, "profile", 0, 0, only_profile, NULL, NULL),
        CALL_OPT(BOTH | CARRIED, "propagate", 0, 0, option_set_propagate, "limits", "resource limits to hand over: ALL, NONE, STACK, NOFILE, ..."),
        { ALL | CARRIED, { "quiet", 'Q', OPTION_COUNT, AT(quiet), NULL, NULL, "no informational words" } },
        TEXT(ALL | CARRIED, "uid", 0, become.user, "user", "the user of the job (root only)"),
        { ALL | CARRIED, { "verbose", 'v', OPTION_COUNT, AT(verbose), NULL, NULL, "more words" } },
        TEXT(JOB_SBATCH, "wrap", 0, wrap, "command", "make a script of this command"),

        NEVER_ARG(ALL, "container-id", 0, "it names a container to scrun, which there is not; --container is"),
        NEVER_ARG(ALL, "context", 0, "SELinux contexts are not set"),
        NEVER_OPT(JOB_SALLOC | CARRIED, "get-user-env", 0, "its command has the environment of the shell already"),
};
/* clang-format on */
const size_t n_job_rows_words = ELEMENTSOF(job_rows_words);
