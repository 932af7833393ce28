/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/jobid.h"

#include "commands/musl.h"

#include "lib/timetext.h"
#include "lib/wire.h"

#include <signal.h>
#include <strings.h>

#define OFFSET_DIGITS  9 /* maximum digits; real offsets are far smaller */
#define STEP_PART_LAST 999999999

/* Parses the part after "12_": "3", "[1-5,9]", "*" for all; advances *n. */
static int tasks_parse(const char *text, struct job_id *ret, size_t *n) {
        bool bracket = *text == '[';
        size_t length = strspn(text + bracket, bracket ? "0123456789-,:" : "0123456789");
        const char *end = text + bracket + length;

        if (*text == '*') {
                *n += 2;
                return 0;
        }
        if (length == 0 || (bracket && *end != ']'))
                return -EINVAL;
        ret->tasks = xstrndup(text + bracket, length);
        *n += 1 + length + 2u * bracket;
        return 0;
}

/* Parses "+1" after "12"; advances *n. */
static int offset_parse(const char *text, struct job_id *ret, size_t *n) {
        size_t length = strspn(text + 1, "0123456789");

        if (length == 0 || length > OFFSET_DIGITS)
                return -EINVAL;
        ret->tasks = xstrndup(text, 1 + length);
        *n += 1 + length;
        return 0;
}

/* Parses the part after the point: "0", "batch", "0+1". */
static int step_part_parse(const char *text, struct job_id *ret) {
        size_t length = strcspn(text, "+");
        _cleanup_free_ char *step = xstrndup(text, length);
        uint64_t part = 0;

        if (text[length]) {
                if (uint_parse(text + length + 1, 0, STEP_PART_LAST, &part) < 0)
                        return -EINVAL;
                ret->part = (uint32_t)part + 1;
        }
        return step_parse(step, &ret->step);
}

int job_id_parse_part(const char *text, struct job_id *ret) {
        size_t n = strspn(text, "0123456789");
        _cleanup_free_ char *number = xstrndup(text, n);
        struct job_id id = { 0 };
        uint64_t job;
        int r = 0;

        if (uint_parse(number, 1, UINT32_MAX, &job) < 0)
                return -EINVAL;
        id.job = (uint32_t)job;
        if (text[n] == '_')
                r = tasks_parse(text + n + 1, &id, &n);
        else if (text[n] == '+')
                r = offset_parse(text + n, &id, &n);
        if (r < 0)
                return r;
        id.has_step = text[n] == '.';
        if (id.has_step)
                r = step_part_parse(text + n + 1, &id);
        else if (text[n])
                r = -EINVAL;
        if (r < 0) {
                job_id_done(&id);
                return r;
        }
        *ret = id;
        return 0;
}

int job_id_parse(const char *text, struct job_id *ret) {
        struct job_id id;
        int r = job_id_parse_part(text, &id);

        if (r >= 0 && id.part) {
                job_id_done(&id);
                r = -EINVAL;
        }
        if (r >= 0)
                *ret = id;
        return r;
}

void job_id_done(struct job_id *id) {
        free(TAKE(id->tasks));
}

char *job_id_text(const struct job_id *id) {
        bool one = id->tasks && id->tasks[strspn(id->tasks, "0123456789")] == 0;

        if (id->tasks && *id->tasks == '+')
                return xasprintf("%u%s", id->job, id->tasks);
        return !id->tasks ? xasprintf("%u", id->job)
                          : xasprintf(one ? "%u_%s" : "%u_[%s]", id->job, id->tasks);
}

char *job_id_next(char **list) {
        char *word = *list, *p;
        bool inside = false;

        if (!word)
                return NULL;
        word += strspn(word, ",");
        for (p = word; *p && (inside || *p != ','); p++)
                inside = *p == '[' || (inside && *p != ']');
        *list = *p ? p + 1 : NULL;
        *p = 0;
        return *word ? word : NULL;
}

void job_id_request_init(struct job_id_request *r, const struct job_id *list, size_t n) {
        *r = (struct job_id_request){ .ids = xnew(uint32_t, n + 1),
                .tasks = xnew(Slumber__JobTasks, n + 1),
                .task_pointers = xnew(Slumber__JobTasks *, n + 1) };
        for (size_t i = 0; i < n; i++) {
                if (list[i].has_step)
                        continue;
                if (!list[i].tasks) {
                        r->ids[r->n_ids++] = list[i].job;
                        continue;
                }
                Slumber__JobTasks *t = r->task_pointers[r->n_tasks] = &r->tasks[r->n_tasks];
                r->n_tasks++;
                slumber__job_tasks__init(t);
                t->job = list[i].job;
                t->tasks = list[i].tasks;
        }
}

void job_id_request_done(struct job_id_request *r) {
        free(r->ids);
        free(r->tasks);
        free(r->task_pointers);
}

int signal_parse(const char *text, uint32_t *ret) {
        uint64_t number;

        if (uint_parse(text, 1, (uint64_t)SIGRTMAX, &number) == 0) {
                *ret = (uint32_t)number;
                return 0;
        }
        if (strncasecmp(text, "SIG", 3) == 0)
                text += 3;
        for (int sig = 1; sig < NSIG; sig++) {
                const char *name = sigabbrev_np(sig);

                if (name && strcasecmp(name, text) == 0) {
                        *ret = (uint32_t)sig;
                        return 0;
                }
        }
        return -EINVAL;
}
