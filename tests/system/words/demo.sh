#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/demo as a whole, with the programs of this build: it checks each step of its story itself.
. "$(dirname "$0")/../lib.sh"
command -v ipmi_sim >/dev/null || tap_skip_all 'ipmi_sim is not installed (package openipmi)'
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'

demo=$SLUMBER_SOURCE/scripts/demo
run=$DIR/run
at_exit sh -c "! [ -e '$run/slumber-demo' ] || '$demo' --stop --dir '$run'"

begin() { # OPTION...: as a child, so that a signal to this test is not put off
        : >"$DIR/out" # the child is late on a busy machine: what is read must not be an earlier one's
        "$demo" --build "$SLUMBER_BUILD" --dir "$run" "$@" >"$DIR/out" 2>&1 </dev/null &
        pid=$!
}
end() { # sets rc
        wait "$pid"
        rc=$? pid=
}
at_exit eval '[ -z "$pid" ] || { kill "$pid"; wait "$pid"; }'

begin --keep
end
tap_is $rc 0 'the demo ends well' || sed 's/^/# /' "$DIR/out"
out=$(cat "$DIR/out")
tap_like "$out" 'demo +all nodes are idle~: powered off' 'it begins with all nodes off'
tap_like "$out" 'just the five that are needed are on: n1 n2 n3 n4 n5' 'five jobs switch five nodes on'
tap_like "$out" 'squeue shows three jobs as S: \[[0-9, ]+\]' 'an urgent job stops three'
tap_like "$out" 'meanwhile their counters stand still' 'their counters stand still'
tap_is "$(grep -c 'job [0-9]* goes on from [0-9]*$' <<<"$out")" 3 'the three go on where they were'
tap_is "$(grep -c 'is COMPLETED, has counted to 1000$' <<<"$out")" 5 'no tick of the five is lost'
tap_like "$out" 'demo +the BMCs say: all are off' 'all nodes are off in the end'
tap_like "$out" 'first sbatch -> ResumeProgram running +[0-9.]+ s +[0-9]+ ms' 'a timeline tells the latencies'
! grep -q "$(printf '\033')" <<<"$out"
tap_ok $? 'no colours without a terminal'

# ---- what --keep has left ----
as_told() { # COMMAND...: in the environment that the demo tells
        (. "$run/env" && "$@")
}
tap_is "$(as_told sinfo -h -o '%D %t')" '8 idle~' 'the cluster is up'
tap_is "$(as_told slumber-power status 'n[1-8]')" 'n[1-8]: off' 'and its BMCs answer'
tap_is "$(as_told sacct -n -X -o state | sort | uniq -c | tr -s ' ')" ' 6 COMPLETED ' 'sacct knows the jobs that are over'
controller=$(cut -d' ' -f1 "$run/slumberctld.pid")
bmc=$(cat "$run/bmc/n1/pid")
out=$("$demo" --build "$SLUMBER_BUILD" --dir "$run" 2>&1)
tap_like "$?|$out" "^1\\|demo: a cluster runs in $run" 'a second one in its folder is refused'
"$demo" --stop --dir "$run"
tap_is $? 0 'it is stopped'
gone "$controller" && gone "$bmc" && [ ! -e "$run" ]
tap_ok $? 'nothing is left of it'

# ---- interrupted while nodes boot: nothing stays, not even what runs on the nodes ----
begin
wait_for 30 grep -q 'job 5 counts on' "$DIR/out"
tap_ok $? 'jobs run' || sed 's/^/# /' "$DIR/out"
controller=$(cut -d' ' -f1 "$run/slumberctld.pid")
node=$(cat "$run/bmc/n1/node.pid")
kill -TERM "$pid"
end
tap_is $rc 1 'an interrupted demo fails'
tap_like "$(cat "$DIR/out")" 'interrupted' 'and says why'
left() { # processes that were started for this folder
        local f line
        for f in /proc/[0-9]*/cmdline; do
                line=$(tr '\0' ' ' <"$f") && case $line in *"$run"/*) echo "# $f: $line" ;; esac
        done 2>/dev/null | grep .
}
gone "$controller" && gone "$node" && ! left
tap_ok $? 'it has ended all that it started'

# ---- a machine that is fresh has no python: it is installed before all else ----
mkdir -p "$DIR/fresh/bin" && cp "$demo" "$DIR/fresh/"
ln -s "$(command -v dirname)" "$DIR/fresh/bin/"
cat >"$DIR/fresh/setup" <<'END'
#!/bin/bash
printf '#!/bin/bash\necho "runs: $*"\n' >"${0%/*}/bin/python3"
/bin/chmod 755 "${0%/*}/bin/python3"
END
chmod 755 "$DIR/fresh/setup"
tap_is "$(PATH=$DIR/fresh/bin "$DIR/fresh/demo" --keep 2>&1)" "runs: $DIR/fresh/demo.py --keep" 'where there is no python it is installed first'

mkdir "$DIR/mine" && touch "$DIR/mine/file"
"$demo" --build "$SLUMBER_BUILD" --dir "$DIR/mine" 2>/dev/null
[ $? = 1 ] && [ -e "$DIR/mine/file" ]
tap_ok $? 'a folder with files of others is left alone'
tap_done
