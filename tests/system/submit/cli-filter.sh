#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# cli_filter.lua in sbatch, srun and salloc: what it is told, sets and clears, what it refuses, its faults; and that commands
# without one start nothing.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-2]' 'CliFilterPlugins=cli_filter/lua' 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000' \
        'PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP' \
        'PartitionName=short Nodes=ALL MaxTime=60 State=UP'
cd "$DIR" || exit 1
cat >cli_filter.lua <<E
function slurm_cli_setup_defaults(options, early)
        if os.getenv("NO_DEFAULTS") == nil then options["comment"] = "by default" end
        return slurm.SUCCESS
end
function slurm_cli_pre_submit(options, offset)
        local what = os.getenv("WHAT")
        if what == "tell" then
                for _, n in ipairs { "type", "partition", "time", "mem", "signal", "array", "hold", "mpi", "bogus" } do
                        slurm.log_info("%s=%s", n, tostring(options[n]))
                end
                slurm.log_info("%s", slurm.json_cli_options(options))
        end
        if what == "offset" then slurm.log_info("%s %d: %s %s", options["type"], offset, tostring(options["time"]), tostring(options["comment"])) end
        if what == "second" and offset == 1 then slurm.log_error("not the second"); return slurm.ERROR end
        if what == "each" and options["comment"] == "set" then options["time"] = "7"; options["comment"] = nil end
        if what == "refuse" then slurm.log_error("not you, %d", offset); return slurm.ERROR end
        if what == "set" then options["partition"] = "short"; options["time"] = "7"; options["hold"] = true; options["name"] = nil end
        if what == "clear" then options["job-name"] = nil; options["comment"] = nil; options["time"] = nil end
        if what == "wrong" then options["time"] = "soon" end
        if what == "foreign" then options["no-shell"] = true end
        if what == "error" then return nil + 1 end
        if what == "loop" then while true do end end
        if what == "sleep" then os.execute("sleep 100") end
        if what == "die" then os.exit(1) end
        if what == "srun" and options["type"] == "srun" then options["ntasks"] = "2" end
        return slurm.SUCCESS
end
function slurm_cli_post_submit(offset, job, step)
        if os.getenv("POST") then slurm.log_info("%sjob %d step %d", os.getenv("POST") == "all" and offset .. ": " or "", job, step) end
        return slurm.SUCCESS
end
E
chmod 644 cli_filter.lua
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 n1,n2 idle
tap_ok $? 'a controller and two nodes' || { cluster_logs; tap_done; }
submit() { run sbatch --parsable -H --wrap true "$@"; }
shown() { scontrol show job "$out" | tr ' ' '\n' | grep "^$1="; }

submit
tap_is "$rc|$err|$(shown Comment)" '0||Comment=by' 'a default comes from the script'
submit --comment mine
tap_is "$rc|$err|$(shown Comment)" '0||Comment=mine' 'the command line wins over it'
WHAT=tell NO_DEFAULTS=1 submit -t 5 --mem=100 -a 1-2
tap_is "$rc|$err" '0|sbatch: lua: type=sbatch
sbatch: lua: partition=nil
sbatch: lua: time=00:05:00
sbatch: lua: mem=100
sbatch: lua: signal=0@0
sbatch: lua: array=1-2
sbatch: lua: hold=set
sbatch: lua: mpi=invalid-context
sbatch: lua: bogus=nil
sbatch: lua: {"array":"1-2","hold":"set","time":"00:05:00","mem":"100","parsable":"set","wrap":"true","argv":[]}' \
        'the script is told the options, as they were said'
WHAT=refuse submit
tap_is "$rc|$out|$err" '1||sbatch: error: lua: not you, 0
sbatch: error: cli_filter plugin terminated with error' 'what it refuses is not submitted'
WHAT=set run sbatch --parsable --wrap true -t 1
tap_like "$rc|$err" '^1\|.*sbatch has no such option' 'an option that there is not'
sed -i 's/; options\["name"\] = nil//' cli_filter.lua
WHAT=set run sbatch --parsable --wrap true -t 1
tap_is "$rc|$(shown Partition) $(shown TimeLimit) $(shown Reason)" '0|Partition=short TimeLimit=00:07:00 Reason=JobHeldUser' 'what it sets wins over the command line'
WHAT=clear submit -J named -t 3
tap_is "$rc|$(shown JobName) $(shown TimeLimit)|$(shown Comment)" '0|JobName=wrap TimeLimit=UNLIMITED|' 'what it clears is as if it had not been said'
WHAT=wrong submit
tap_is "$rc|$err" '1|sbatch: error: cli_filter/lua: options["time"]="soon": Invalid --time specification' 'a wrong value names its option'
WHAT=foreign submit
tap_like "$rc|$err" '^1\|.*options\["no-shell"\]: sbatch has no such option' "as does one of another command's"
WHAT=error submit
tap_like "$rc|$err" "^1\|sbatch: error: cli_filter/lua: $DIR/cli_filter.lua:[0-9]*: attempt to perform arithmetic" 'an error of it names file and line'
WHAT=loop submit
tap_like "$rc|$err" '^1\|.*more than 20000000 instructions' 'an endless loop is ended'
WHAT='die' submit
tap_like "$rc|$err" '^1\|sbatch: error: cli_filter/lua: .*slumber-submit has died' 'a script that ends its process'
POST=1 submit
tap_is "$rc|$err" "0|sbatch: lua: job $out step 4294967294" 'it is told of the job'
POST=1 run srun true
tap_like "$rc|$err" '^0\|srun: lua: job [0-9]* step 0$' 'and by srun of the step'
POST=1 run salloc -n1 true
tap_like "$rc|$err" 'salloc: lua: job [0-9]* step 4294967294' 'and by salloc'
WHAT=srun run srun hostname
tap_is "$rc|$(wc -l <<<"$out")" '0|2' 'srun has what it sets'
WHAT=refuse run salloc true
tap_is "$rc|$err" '1|salloc: error: lua: not you, 0
salloc: error: cli_filter plugin terminated with error' 'salloc refuses'
WHAT=refuse run srun true
tap_is "$rc|$err" '1|srun: error: lua: not you, 0
srun: error: cli_filter plugin terminated with error' 'as does srun'
# ---- once for each component ----
het() { NO_DEFAULTS=1 WHAT=offset run "$@" -t 1 : -t 2 --comment x : -t 3 --comment y "${more[@]}"; }
more=(--wrap true)
het sbatch -H --parsable --comment set
tap_is "$rc|$err" '0|sbatch: lua: sbatch 0: 00:01:00 set
sbatch: lua: sbatch 1: 00:02:00 x
sbatch: lua: sbatch 2: 00:03:00 y' 'sbatch asks of each component, with its options and number'
more=(true)
het salloc -I -Q -n4
tap_is "$err" 'salloc: error: Unable to allocate resources: Requested nodes are busy' 'which -Q does not show'
het salloc -I -n4
tap_like "$err" '^salloc: lua: salloc 0: 00:01:00 nil
salloc: lua: salloc 1: 00:02:00 x
salloc: lua: salloc 2: 00:03:00 y
salloc: error' 'as does salloc'
NO_DEFAULTS=1 WHAT=offset run srun -t 1 true : -t 2 true
tap_is "$rc|$err" '0|srun: lua: srun 0: 00:01:00 nil
srun: lua: srun 1: 00:02:00 nil' 'and srun'
for command in 'sbatch -H' 'salloc -n1' 'srun -n1'; do
        case $command in sbatch*) more=(--wrap true) ;; srun*) more=(true) ;; *) more=(true) ;; esac
        # shellcheck disable=SC2086
        WHAT=second run $command : -n1 "${more[@]}"
        tap_is "$rc|$err" "1|${command%% *}: error: lua: not the second
${command%% *}: error: cli_filter plugin terminated with error" "what it refuses of a later component of ${command%% *} is not done"
done
NO_DEFAULTS=1 WHAT=each run sbatch -H --parsable --comment set -t 1 : --comment b -t 2 : --comment set -t 3 --wrap true
tap_is "$rc|$(for i in 0 1 2; do scontrol show job "$out+$i" | tr ' ' '\n' | grep -E '^(TimeLimit|Comment)=' | paste -sd' '; done)" \
        '0|TimeLimit=00:07:00
TimeLimit=00:02:00 Comment=b
TimeLimit=00:07:00' 'what it sets and clears is of the component that it was asked of'
NO_DEFAULTS=1 POST=all run sbatch -H --parsable -n1 : -n1 --wrap true
tap_is "$rc|$err" "0|sbatch: lua: 0: job $out step 4294967294
sbatch: lua: 1: job $out step 4294967294" 'it is told of each component, by the number of the first one'
scancel -u "$(id -un)" && wait_for 20 no_jobs
echo data >file
run salloc -N1 env WHAT=refuse sbcast file "$DIR/copy"
tap_is "$rc $(cat copy)" '0 data' 'sbcast may call srun for itself: the script is not asked'
chmod 666 cli_filter.lua
submit
tap_like "$rc|$err" '^1\|.*cli_filter.lua may be written by others' 'one that others may write is not run'
rm cli_filter.lua
submit
tap_like "$rc|$err" "^1\|sbatch: error: cli_filter/lua: $DIR/cli_filter.lua: No such file" 'a missing one refuses'
sed -i '/^CliFilterPlugins/d' slurm.conf && scontrol reconfigure
unlinked() { [ ! -L "$DIR/sock.cli_filter" ]; }
wait_for 20 unlinked
submit
tap_is "$rc|$err" '0|' 'without the key there is no filter'
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
