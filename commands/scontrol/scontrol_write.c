/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol write: a job's script into a file, which this command opens with its caller's rights;
 * the controller's state into a folder on its host, which the controller makes with its own. */
#include "commands/jobid.h"
#include "commands/scontrol/scontrol.h"
#include "lib/config/config.h"
#include "lib/errors.h"

#include <strings.h>

/* NULL: it has been said. */
static FILE *open_file(const char *path) {
        FILE *out = fopen(path, "we");

        if (!out)
                fprintf(stderr, "failed to open file `%s`: %s\n", path, strerror(errno));
        return out;
}

/* What could not be written shows when the file is closed. */
static int close_file(FILE *out, const char *path) {
        bool failed = ferror(out);

        failed |= fclose(out) != 0;
        if (failed)
                fprintf(stderr, "failed to write file `%s`: %s\n", path, strerror(errno));
        return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int save_script(const struct scontrol *s, const struct job_id *id, const char *path,
                const char *script, size_t size) {
        _cleanup_free_ char *name = job_id_text(id), *usual = xasprintf("slurm-%s.sh", name);

        if (path && streq(path, "-")) {
                fwrite(script, 1, size, stdout);
                return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
        }
        path = path ? path : usual;
        FILE *out = open_file(path);
        if (!out)
                return EXIT_FAILURE;
        fwrite(script, 1, size, out);
        int rc = close_file(out, path);
        if (rc == EXIT_SUCCESS && !s->quiet)
                printf("batch script for job %s written to %s\n", name, path);
        return rc;
}

static int write_script(const struct scontrol *s, int argc, char **argv) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        _cleanup_free_ char *script = NULL;
        Slumber__ScriptQuery query = SLUMBER__SCRIPT_QUERY__INIT;
        struct job_id id = { 0 };
        struct fail fail = { 0 };
        uint32_t code = SLUMBER_OK;
        size_t size = 0;
        int r = job_id_parse(argv[0], &id, &fail), rc = EXIT_FAILURE;

        if (r < 0 && r != -ENOTSUP)
                fail_set(&fail, r, "%s", slumber_error_text(SLUMBER_BAD_JOB_ID));
        if (r >= 0)
                r = command_connect(&w, &fail);
        query.job_id = id.job;
        if (r >= 0)
                r = command_script(w, &query, &script, &size, &code, &fail);
        if (r < 0)
                fprintf(stderr, "job script retrieval failed: %s\n", fail.text);
        else
                rc = save_script(s, &id, argc > 1 ? argv[1] : NULL, script, size);
        job_id_done(&id);
        return rc;
}

static int write_state(const struct scontrol *s, int argc, char **argv) {
        Slumber__StateCopyRequest request = SLUMBER__STATE_COPY_REQUEST__INIT;

        if (argc != 1)
                return scontrol_complain(s, "too %s arguments for keyword:write state",
                                argc < 1 ? "few" : "many");
        _cleanup_free_ char *folder = config_absolute(argv[0]);
        request.folder = folder;
        ENVELOPE(envelope, STATE_COPY, state_copy, &request);
        return scontrol_ask(s, &envelope, "slurm_write_state");
}

int scontrol_write(const struct scontrol *s, int argc, char **argv) {
        if (argc < 2)
                return scontrol_complain(s, "too few arguments for keyword:%s", argv[0]);
        if (strcasecmp(argv[1], "config") == 0)
                return scontrol_refuse(
                                "scontrol: error: \"write config\" is not implemented by Slumber yet");
        if (strcasecmp(argv[1], "state") == 0)
                return write_state(s, argc - 2, argv + 2);
        if (strncasecmp(argv[1], "batch_script", MAX(strlen(argv[1]), (size_t)5)) != 0)
                return scontrol_complain(s, "invalid write argument:%s", argv[1]);
        if (argc < 3 || argc > 4)
                return scontrol_complain(s, "too %s arguments for keyword:%s",
                                argc < 3 ? "few" : "many", argv[0]);
        return write_script(s, argc - 2, argv + 2);
}
