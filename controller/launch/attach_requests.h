/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/attach_requests.h - AttachRequest, the message of sattach */
#pragma once

#include "controller/loop/caller.h"

void handle_attach_request(struct controller *ctl, const struct caller *caller,
                const Envelope *env);
