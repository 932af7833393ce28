/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/steps/bcast.h - what sbcast sends to its receivers, on their standard input
 *
 * A line that says how the rest is packed, then, packed so, files and a last line:
 *
 *   SLUMBER-BCAST none|zstd
 *   file MODE KEEPS-TIMES ACCESSED MODIFIED FORCE SIZE PATH    (octal; 0 or 1; seconds twice; ...)
 *   SIZE bytes
 *   folder PATH                                                (made unless it is there)
 *   end
 *
 * A receiver that does not get the last line has not got all. */
#pragma once

#include "lib/fail.h"

#define BCAST_MAGIC    "SLUMBER-BCAST "
#define BCAST_LINE_MAX 8192
#define BCAST_BLOCK    ((size_t)8 << 20) /* bytes, of --size */

/* In the environment of the srun that starts the receivers: their step takes no number of srun's.
 */
#define BCAST_STEP "SLUMBER_BCAST_STEP"

/* In the environment of the sbcast that srun starts: the number is that of one component alone,
   also the first one's, and it tells on its standard output, before it sends, "0 PATH", where the
   file comes to be, or "1 PATH", where its libraries do, too. */
#define BCAST_TELL "SLUMBER_BCAST_TELL"

/* The hidden command of each node: takes from fd 0, writes files; the exit code. */
int bcast_receive_main(int argc, char **argv);
