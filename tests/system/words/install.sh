#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# "meson install" puts everything in place: programs start and say their version, each has its manual page, help and usage;
# an option that does not exist is an error on stderr.
. "$(dirname "$0")/../lib.sh"

export DESTDIR=$DIR/root
meson install -C "$SLUMBER_BUILD" --no-rebuild --quiet >"$DIR/install.log" 2>&1
tap_ok $? "meson install" || sed 's/^/# /' "$DIR/install.log"

check_program() { # path, section of its page
        local name=${1##*/} text
        text=$("$DESTDIR/$1" --version 2>&1)
        [ "$name" = slumber-power ] && text="slurm 25.05.0 (${text/slumber-power/Slumber})" # no command of Slurm's
        tap_like "$text" '^slurm 25\.05\.[0-9]+ \(Slumber [0-9.]+\)$' "$name --version"
        text=$("$DESTDIR/$1" --help 2>/dev/null)
        tap_like "$text" "$name" "$name --help"
        text=$("$DESTDIR/$1" --usage 2>/dev/null)
        tap_like "$text" "$name" "$name --usage"
        [ -s "$DESTDIR/usr/share/man/man$2/$name.$2" ]
        tap_ok $? "$name has a manual page"
        text=$("$DESTDIR/$1" --no-such-option 2>&1 >/dev/null)
        [ $? != 0 ] && [ "$text" = "$name: unrecognized option '--no-such-option'
Try \"$name --help\" for more information" ]
        tap_ok $? "$name refuses an unknown option"
}
for c in sbatch srun salloc squeue sinfo scancel scontrol; do check_program usr/bin/$c 1; done
for d in slumberctld slumberd slumber-power; do check_program usr/sbin/$d 8; done
for d in slumberctld slumberd; do
        text=$("$DESTDIR/usr/sbin/$d" -D nonsense 2>&1)
        tap_is "$?|$(head -1 <<<"$text")" "1|$d: error: unexpected argument \"nonsense\"" "$d takes options only"
done
text=$("$DESTDIR/usr/sbin/slumber-power" on n1 --deadline never 2>&1)
tap_is "$?|$(head -1 <<<"$text")" '64|slumber-power: error: --deadline: "never" is not a time from 1ms to 1h' 'slumber-power says what is wrong with a value'

stepd=$DESTDIR/usr/libexec/slumber/slumberstepd
tap_is "$("$stepd" --version)" "$("$DESTDIR/usr/sbin/slumberd" --version)" 'slumberstepd --version'
tap_like "$("$stepd" --help)" '^Usage: slumberstepd .*' 'slumberstepd --help'
tap_like "$("$stepd" x 2>&1 | head -1)" '^slumberstepd: error: unexpected argument "x"$' 'slumberstepd takes no argument'
text=$("$DESTDIR/usr/bin/scontrol" --help)
for v in hold power reboot reconfigure release requeue resume show suspend update wait_job; do
        grep -q "^     $v  " <<<"$text" || tap_ok 1 "scontrol --help has $v"
done
tap_is "$text" "$("$DESTDIR/usr/bin/scontrol" help)" 'scontrol help is the same'
for f in usr/libexec/slumber/slumberstepd usr/lib/systemd/system/slumberctld.service \
        usr/lib/systemd/system/slumberd.service usr/lib/sysusers.d/slumber.conf usr/lib/tmpfiles.d/slumber.conf \
        usr/share/slumber/pictures.py usr/share/slumber/pictures.gnuplot; do
        [ -s "$DESTDIR/$f" ]
        tap_ok $? "$f is installed"
done
tap_done
