/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A record of a step over several components of a heterogeneous job: what is taken from it can be
 * numbered, and is kept as it was read.  The first two bytes are the component's tasks and nodes.
 */
#include "controller/model/job.h"
#include "controller/steps/step_span.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        Slumber__StepSpan *m = size > 2 ? slumber__step_span__unpack(NULL, size - 2, data + 2)
                                        : NULL;
        struct step_span *s = m ? span_unpack(m, data[0], data[1]) : NULL;

        if (s) {
                Slumber__StepSpan again;
                _cleanup_free_ uint32_t *ranks = span_ranks(s);
                span_pack(s, &again);
                struct step_span *same = span_unpack(&again, data[0], data[1]);
                if (!same || span_tasks_before(s) > s->num_tasks)
                        abort();
                for (uint32_t i = 0; i < s->num_tasks; i++)
                        if (ranks[i] >= s->num_tasks)
                                abort();
                span_free(same);
        }
        span_free(s);
        if (m)
                slumber__step_span__free_unpacked(m, NULL);
        return 0;
}
