/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol write: a job's script or the configuration into a file, written by this command with the
 * caller's rights; the controller's state into a folder on the controller's host, written by the
 * controller. */
#include "commands/jobid.h"
#include "commands/query.h"
#include "commands/scontrol/scontrol.h"
#include "lib/config/config.h"
#include "lib/errors.h"
#include "lib/files/lines.h"

#include <fcntl.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>

/* Returns NULL after a message. */
static FILE *output_file_open(const char *path) {
        FILE *out = fopen(path, "we");

        if (!out)
                fprintf(stderr, "failed to open file `%s`: %s\n", path, strerror(errno));
        return out;
}

/* Closes the file and reports a failed write. */
static int output_file_close(FILE *out, const char *path) {
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
        FILE *out = output_file_open(path);
        if (!out)
                return EXIT_FAILURE;
        fwrite(script, 1, size, out);
        int rc = output_file_close(out, path);
        if (rc == EXIT_SUCCESS && !s->quiet)
                printf("batch script for job %s written to %s\n", name, path);
        return rc;
}

static int write_batch_script(const struct scontrol *s, int argc, char **argv) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        _cleanup_free_ char *script = NULL;
        Slumber__ScriptQuery query = SLUMBER__SCRIPT_QUERY__INIT;
        struct job_id id = { 0 };
        struct fail fail = { 0 };
        uint32_t code = SLUMBER_OK;
        size_t size = 0;
        int r = job_id_parse(argv[0], &id), rc = EXIT_FAILURE;

        if (r < 0)
                fail_set(&fail, r, "%s", slumber_error_text(SLUMBER_BAD_JOB_ID));
        if (r >= 0)
                r = command_connect(&w, &fail);
        query.job_id = id.job;
        if (r >= 0 && id.tasks && *id.tasks == '+')
                r = query_component(w, &id, &query.job_id, &fail);
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

/* ---- the configuration ---- */

/* Opens a temporary file in folder. Returns the file's path (the caller frees the path) and sets
   *ret, NULL on failure; the caller closes *ret. */
static char *temporary_file_open(const char *path, const char *folder, FILE **ret) {
        const char *slash = strrchr(path, '/');
        char *new = xasprintf("%s/.%s.XXXXXX", folder, slash ? slash + 1 : path);
        int fd = mkostemp(new, O_CLOEXEC);

        *ret = fd < 0 ? NULL : fdopen(fd, "w");
        return new;
}

static int output_folder_sync(const char *folder) {
        _cleanup_close_ int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        return fd < 0 || fsync(fd) < 0 ? -errno : 0;
}

/* Writes path completely and synchronously, or not at all; returns 0 or -errno. */
static int output_file_replace(const char *path, const char *text, mode_t mode) {
        _cleanup_free_ char *folder = config_folder(path);
        mode_t mask = umask(0);
        struct stat st;
        FILE *out;

        umask(mask);
        /* rename() would replace a link or a pipe */
        if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode))
                return S_ISLNK(st.st_mode) ? -ELOOP : -EINVAL;
        _cleanup_free_ char *new = temporary_file_open(path, folder, &out);
        if (!out)
                return -errno;
        /* fflush() succeeds after a failed write in fputs() */
        bool written = fputs(text, out) >= 0 && fflush(out) == 0 &&
                       fchmod(fileno(out), mode & ~mask) == 0 && fsync(fileno(out)) == 0;
        int r = written ? 0 : -errno;
        fclose(out);
        if (r >= 0 && rename(new, path) < 0)
                r = -errno;
        if (r >= 0)
                return output_folder_sync(folder);
        (void)unlink(new);
        return r;
}

static char *config_dated_path(const char *file) {
        char when[32];
        time_t now = time(NULL);
        struct tm tm;

        if (!localtime_r(&now, &tm) || strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &tm) == 0)
                return NULL;
        return xasprintf("%s.%s", file, when);
}

static int save_config(const struct scontrol *s, const Slumber__ConfigFile *m, const char *file) {
        _cleanup_free_ char *path = config_dated_path(file ? file : m->path);
        int r = path ? output_file_replace(path, m->text, m->secret ? 0600 : 0644) : -EOVERFLOW;

        if (r < 0) {
                fprintf(stderr, "scontrol: error: Unable to write %s: %s\n", strna(path),
                                r == -EINVAL  ? "not a regular file"
                                : r == -ELOOP ? "a link"
                                              : strerror(-r));
                return EXIT_FAILURE;
        }
        if (!s->quiet)
                printf("Slurm config saved to %s\n", path);
        return EXIT_SUCCESS;
}

static int write_config_file(const struct scontrol *s, int argc, char **argv) {
        _cleanup_envelope_ Envelope *reply = NULL;
        Slumber__ConfigFileQuery query = SLUMBER__CONFIG_FILE_QUERY__INIT;
        struct fail fail = { 0 };
        uint32_t code;

        if (argc > 1)
                return scontrol_complain(s, "too many arguments for keyword:write config");
        ENVELOPE(envelope, CONFIG_FILE_QUERY, config_file_query, &query);
        int r = scontrol_call(&envelope, &reply, &code, &fail);
        if (r >= 0 && reply->body_case == SLUMBER__ENVELOPE__BODY_CONFIG_FILE)
                return save_config(s, reply->config_file, argc ? argv[0] : NULL);
        fprintf(stderr, "slurm_load_ctl_conf error: %s\n",
                        r < 0 ? scontrol_refusal(code, &fail)
                              : slumber_error_text(SLUMBER_PROTOCOL));
        return EXIT_FAILURE;
}

int scontrol_write(const struct scontrol *s, int argc, char **argv) {
        if (argc < 2)
                return scontrol_complain(s, "too few arguments for keyword:%s", argv[0]);
        if (strcasecmp(argv[1], "config") == 0)
                return write_config_file(s, argc - 2, argv + 2);
        if (strcasecmp(argv[1], "state") == 0)
                return write_state(s, argc - 2, argv + 2);
        if (strncasecmp(argv[1], "batch_script", MAX(strlen(argv[1]), (size_t)5)) != 0)
                return scontrol_complain(s, "invalid write argument:%s", argv[1]);
        if (argc < 3 || argc > 4)
                return scontrol_complain(s, "too %s arguments for keyword:%s",
                                argc < 3 ? "few" : "many", argv[0]);
        return write_batch_script(s, argc - 2, argv + 2);
}
