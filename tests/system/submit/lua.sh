#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# job_submit.lua: what it reads and changes, what it says to the user, what it refuses, its faults, and that nothing that it
# does holds up the controller.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n1' 'JobSubmitPlugins=lua' 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 Gres=gpu:2' 'GresTypes=gpu' \
        'PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP' \
        'PartitionName=short Nodes=ALL MaxTime=60 PriorityTier=3 State=UP'
printf 'Name=gpu File=/dev/null\nName=gpu File=/dev/zero\n' >"$DIR/gres.conf"
cd "$DIR" || exit 1
log_says() { grep -qF -- "$1" "$DIR/log/ctld"; }
script() { # the functions' bodies are standard input's
        { cat && echo 'function slurm_job_modify() return slurm.SUCCESS end'; } >job_submit.new
        chmod 644 job_submit.new && mv job_submit.new job_submit.lua
}
submit() { run sbatch -H --parsable --wrap true "$@"; }
shown() { scontrol show job "$out" | tr ' ' '\n' | grep "^$1="; }

# ---- a start without one, or with a wrong one ----
ctld_start
tap_is "$? $CTLD_RC" '1 1' 'a start without job_submit.lua is refused'
tap_like "$(tail -1 log/ctld)" "JobSubmitPlugins: $DIR/job_submit.lua: No such file" 'which names the file'
printf '#!/usr/bin/lua\nfunction slurm_job_submit()\n  return (\nend\n' >job_submit.lua
ctld_start
tap_is "$? $CTLD_RC" '1 1' 'as is one with a script that is no Lua'
tap_like "$(tail -1 log/ctld)" "JobSubmitPlugins: $DIR/job_submit.lua:4: " 'which names the line'
echo 'function slurm_job_submit() return 0 end' >job_submit.lua
ctld_start
tap_like "$? $(tail -1 log/ctld)" '^1 .*job_submit.lua: there is no function slurm_job_modify' 'or without a function'
script <<<'function slurm_job_submit() return slurm.SUCCESS end'
chmod 666 job_submit.lua
ctld_start
tap_like "$? $(tail -1 log/ctld)" '^1 .*job_submit.lua may be written by others' 'or that others may write'

# ---- in the manner of sites ----
echo 'return { gpu = "gres/gpu:1" }' >site.lua
script <<'E'
local site = require "site"
function slurm_job_submit(job_desc, part_list, submit_uid)
        if job_desc.comment == "error" then local t = nil; return t.x end
        if job_desc.comment == "loop" then while true do end end
        if job_desc.comment == "sleep" then os.execute("sleep 100") end
        if job_desc.comment == "die" then os.exit(1) end
        if job_desc.comment == "number" then return 2066 end
        if job_desc.comment == "offset" then slurm.log_user("%s", job_desc.het_job_offset) end
        if job_desc.comment == "none" then return slurm.ERROR end
        if job_desc.comment == "talk" then slurm.log_user("hello") end
        if job_desc.comment == "foreign" then job_desc.network = "ib0" end
        if job_desc.account == nil and job_desc.comment == "account" then
                slurm.log_user("%s: give an account", job_desc.user_name)
                slurm.user_msg("as -A NAME")
                return slurm.ESLURM_INVALID_ACCOUNT
        end
        if string.match(job_desc.tres_per_node or "", "^gres/gpu:%d+$") then
                slurm.user_msg("say which GPU")
                return slurm.ESLURM_INVALID_GRES
        end
        if job_desc.partition == nil then
                for name, part in pairs(part_list) do
                        if part.flag_default == 0 and job_desc.time_limit ~= slurm.NO_VAL and
                           job_desc.time_limit <= part.max_time then
                                job_desc.partition = name
                        end
                end
        end
        if job_desc.comment == "bytes" then
                job_desc.script = "#!/bin/sh\necho rewritten\nexit 0\n\0tail"
        end
        if job_desc.comment == "change" then
                slurm.log_info("of uid %d, %s", submit_uid, job_desc.script and "a script" or "interactive")
                slurm.log_user("your job was changed")
                job_desc.name = "by the site"
                job_desc.time_limit = 90
                job_desc.min_mem_per_node = 100
                job_desc.num_tasks = 2
                job_desc.cpus_per_task = 2
                job_desc.tres_per_node = site.gpu
                job_desc.priority = 0
                job_desc.comment = nil
                job_desc.admin_comment = "seen"
                job_desc.environment["SITE"] = "yes"
                job_desc.shared = 0
        end
        return slurm.SUCCESS
end
E
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a controller with a script, and a node' || { cluster_logs; tap_done; }
submit
tap_is "$rc|$err|$(shown Partition)" '0||Partition=main' 'a job that it does not care about'
submit -t 30
tap_is "$(shown Partition)" 'Partition=short' 'one that it routes by its time limit'
submit --comment change
tap_is "$rc|$err" '0|sbatch: your job was changed' 'what it says to the user of a job that it takes'
tap_is "$(shown JobName) $(shown TimeLimit) $(shown MinMemoryNode) $(shown NumTasks) $(shown CPUs/Task) $(shown Comment) $(shown AdminComment) $(shown OverSubscribe) $(shown TresPerNode)" \
        'JobName=by TimeLimit=01:30:00 MinMemoryNode=100M NumTasks=2 CPUs/Task=2  AdminComment=seen OverSubscribe=NO TresPerNode=gres/gpu:1' \
        'what it has changed is what scontrol shows'
log_says "lua: of uid $(id -u), a script"
tap_ok $? 'what it says to the log is there'
submit --comment offset
tap_is "$rc|$err" '0|sbatch: 4294967294' 'a job that is not heterogeneous is no component'
run sbatch -H --parsable --comment offset : --comment offset : --comment offset --wrap true
tap_is "$rc|$err" '0|sbatch: 0
sbatch: 1
sbatch: 2' 'components have their numbers'
scancel "$out"
run sbatch --parsable --comment change -o env.out --wrap 'echo $SITE'
scontrol release "$out" && wait_job 20 "$out" COMPLETED
tap_is "$(cat env.out)" yes 'a variable that it sets is in the environment'
run sbatch --parsable --comment bytes -o bytes.out --wrap 'echo as it was'
wait_job 20 "$out" COMPLETED
scontrol write batch_script "$out" bytes.sh >/dev/null
tap_is "$(cat bytes.out) $(tail -c 5 bytes.sh | od -An -c | tr -s ' ')" 'rewritten  \0 t a i l' 'a script that it rewrites, a byte of 0 included'
run salloc --comment talk true
tap_like "$err" '^salloc: hello' 'salloc is told, too'
run srun --comment talk sh -c 'echo "$SLURM_STEP_ID"'
tap_is "$rc|$out" '0|0' 'a job of srun begins with its first step behind the script'
run srun --comment account true
tap_is "$err" "srun: error: $(id -un): give an account
srun: error: as -A NAME
srun: error: Unable to allocate resources: Invalid account or account/partition combination specified" 'what it says to the user of a job that it refuses'
submit --comment account
tap_is "$rc|$err" "1|sbatch: error: $(id -un): give an account
sbatch: error: as -A NAME
sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified" 'likewise sbatch, with the words of the number'
submit --gres gpu:1
tap_like "$err" 'say which GPU' 'a GPU without a type is refused'
submit --comment account --test-only
tap_like "$err" 'allocation failure: Invalid account' '--test-only asks it, too'
submit --comment number
tap_like "$err" 'Invalid qos specification' "a bare number is one of Slurm's errors"
submit --comment none
tap_is "$err" 'sbatch: error: Batch job submission failed: Unspecified error' 'slurm.ERROR says nothing more'
submit -a 0-3 --comment talk
tap_is "$err" 'sbatch: hello' 'an array is asked about once'

# ---- its faults ----
worker() { pgrep -P "$(cat run/ctld.pid)" -f 'slumber-submit --worker'; }
submit --comment error
tap_is "$rc|$err" '1|sbatch: error: Batch job submission failed: Unspecified error' 'an error of it refuses the job'
log_says "job_submit/lua: $DIR/job_submit.lua: $DIR/job_submit.lua:3: attempt to index a nil value"
tap_ok $? 'and the log has file, line and message'
submit --comment foreign
log_says 'job_desc.network cannot be set: it is not implemented'
tap_is "$?|$rc" '0|1' 'what Slumber does not have cannot be set'
submit --comment loop
log_says 'it has run for more than 20000000 instructions'
tap_is "$?|$rc" '0|1' 'an endless loop is ended'
submit --comment die
tap_like "$rc|$err" '^1\|.*job_submit.lua: slumber-submit has died' 'a script that ends its process refuses one job'
submit
tap_is "$rc" 0 'the next one has a new process'
sbatch -H --comment sleep --wrap true 2>sleep.err &
slow=$!
asleep() { pgrep -g "$(worker)" -x sleep >/dev/null; }
wait_for 20 asleep
tap_ok $? 'a script that sleeps'
run timeout 5 squeue -h
tap_is "$rc" 0 'does not hold up squeue'
wait $slow
tap_is "$?|$(cat sleep.err)" '1|sbatch: job_submit.lua is being run for the request; still waiting
sbatch: error: Batch job submission failed: job_submit.lua has not answered in time' 'and is killed; who waits has been told what for'

# ---- users take turns ----
if [ "$(id -u)" = 0 ]; then
        script <<<'function slurm_job_submit(d, p, uid) os.execute("sleep 0.7"); slurm.log_info("turn of %d", uid); return slurm.SUCCESS end'
        # shellcheck disable=SC2034
        flood=$(for i in {1..30}; do sbatch -H --wrap true >/dev/null 2>"flood.$i" & echo $!; done)
        told() { grep -l 'sbatch: the request waits for job_submit.lua, which is run for one at a time, and users take turns: [0-9]* of your own are before it, and [0-9]* other users wait; still waiting' flood.*; }
        many_told() { [ "$(told | wc -l)" -gt 15 ]; }
        wait_for 20 many_told
        tap_ok $? 'those that wait are told what for'
        stranger "$DIR/bin/sbatch" -H --wrap true >/dev/null 2>other.err
        tap_is "$?|$(cat other.err)" '0|' "another user's job"
        through() { local pid; for pid in $flood; do gone "$pid" || return; done; }
        wait_for 60 through
        after=$(sed -n '/lua: turn of 65534/,$p' log/ctld | grep -c 'lua: turn of 0')
        [ "$after" -ge 3 ]
        tap_ok $? "does not wait until all of the first user's are through ($after come later)"
        scancel -u root,nobody
fi

# ---- newer versions ----
script <<<'function slurm_job_submit(d) d.name = "second"; return slurm.SUCCESS end'
submit
tap_is "$(shown JobName)" 'JobName=second' 'a newer version is in force at once'
script <<<'function slurm_job_submit(d) d.name = = end'
submit
tap_is "$rc|$(shown JobName)" '0|JobName=second' 'a broken one leaves the one before'
log_says "job_submit.lua:1: unexpected symbol near '='; the version before stays in force"
tap_ok $? 'which the log says'
run scontrol reconfigure
tap_like "$rc|$err" "^1\\|.*JobSubmitPlugins: $DIR/job_submit.lua:1: unexpected symbol" 'reconfigure is refused by its line'
kill -KILL "$(worker)"
submit
tap_is "$rc|$(shown JobName)" '0|JobName=second' 'a new process has the last good one, too'
script <<<'function slurm_job_submit(d) d.name = "third"; return slurm.SUCCESS end'
run scontrol reconfigure
submit
tap_is "$rc|$(shown JobName)" '0|JobName=third' 'a reconfiguration with a good one'
sed -i '/^JobSubmitPlugins/d' slurm.conf && scontrol reconfigure && submit
tap_is "$rc|$(shown JobName)" '0|JobName=wrap' 'without the key no rule is in force'
echo JobSubmitPlugins=job_submit/defaults >>slurm.conf
run scontrol reconfigure
tap_is "$rc|$err" '0|' 'JobSubmitPlugins=defaults'
submit --comment=mine
tap_is "$rc|$(shown JobName)|$(shown Comment)" '0|JobName=wrap|Comment=mine' "... changes nothing, as Slurm's"
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
