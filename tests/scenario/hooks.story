Prolog and Epilog as the controller sees them.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdTimeout=100
ReturnToService=1
KillWait=1
Prolog=/prolog
Epilog=/epilog
PrologFlags=Alloc
NodeName=n[1-3] CPUs=2
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 1s delay prolog 5s
at 1s delay epilog 7s
PrologFlags=Alloc: the job is configuring meanwhile. The script waits for the prolog of its own node.
at 1s submit -N2 --runs 10s
> job 1
> at 1s prolog n[1-2]
at 2s show jobs
>  1 p      CF  0:00 2 n[1-2]
at 30s show jobs
> at 6s launch job 1 on n1
> at 16s job 1 COMPLETED
> at 16s terminate job 1 on n1
> at 16s terminate job 1 on n2
Its epilog holds its nodes.
at 31s show node n1
> n1 IDLE (idle, idle)
A prolog that fails drains its node, and its job is requeued and held; its epilog runs all the same.
at 40s fault prolog-fails n2
at 41s submit -w n2 --uid=1001
> job 2
> at 41s prolog n2
at 60s show jobs
> at 46s job 2 is requeued
> at 46s terminate job 2 on n2
>  2 p      PD  0:00 1 (launch failed requeued held)
at 60s show node n2
> n2 IDLE+DRAIN (drain, drained) Reason=Prolog error
at 61s repair n2
at 61s admin n2 RESUME
An epilog that fails drains its node, not its job.
at 62s fault epilog-fails n3
at 62s submit -w n3 --runs 1s
> job 3
> at 62s prolog n3
at 90s show node n3
> at 67s launch job 3 on n3
> at 68s job 3 COMPLETED
> at 68s terminate job 3 on n3
> n3 IDLE+DRAIN (drain, drained) Reason=Epilog error
at 91s repair n3
at 91s admin n3 RESUME
An agent that registers with a job's hooks alone has lost the launch: it is repeated, however often.
at 100s delay launch 30s
at 100s submit -w n1 --runs 1000s
> job 4
> at 100s prolog n1
at 106s register n1 4h
> at 105s launch job 4 on n1
> at 106s launch job 4 on n1
at 107s register n1 4h
> at 107s launch job 4 on n1
at 108s register n1 4h
> at 108s launch job 4 on n1
at 109s register n1 4h
> at 109s launch job 4 on n1
at 145s delay launch 1ms
... while the controller believes that the script runs, it has been lost.
at 146s register n1 4h
> at 146s terminate job 4 on n1 at once
> at 146s job 4 is requeued
at 147s show jobs
> at 146.001s prolog n1
>  2 p      PD  0:00 1 (launch failed requeued held)
>  4 p      CF  0:00 1 n1
A job that is cancelled, and an agent that has nothing of it: its epilog is asked for.
at 148s cancel 4
> at 148s job 4 CANCELLED
> at 148s terminate job 4 on n1
at 149s register n1
> at 149s terminate job 4 on n1
at 170s show jobs
>  2 p      PD  0:00 1 (launch failed requeued held)
What an agent has of a job that is unknown is ended.
at 171s register n1 77h
> at 171s terminate job 77 on n1 at once
at 172s register n1 77b
> at 172s terminate job 77 on n1 at once
A reboot ends a run for good: its node has lost it, and owes its epilog.
at 180s submit -w n1 --runs 1000s
> job 5
> at 180s prolog n1
at 190s register n1 5b
> at 185s launch job 5 on n1
> at 190s terminate job 5 on n1 at once
> at 190s job 5 is requeued
at 191s cancel 5
> at 190.001s prolog n1
> at 191s job 5 CANCELLED
> at 191s terminate job 5 on n1
at 300s show jobs
>  2 p      PD  0:00 1 (launch failed requeued held)
BatchStartTimeout does not count where there is a prolog before the launch.
at 301s delay launch 60s
at 302s submit -w n1 --runs 100s
> job 6
> at 302s prolog n1
at 360s show jobs
> at 307s launch job 6 on n1
>  2 p      PD  0:00 1 (launch failed requeued held)
>  6 p      R   0:53 1 n1
An epilog that runs for long: the agent says so when it is asked again, and is not taken for silent.
at 361s delay epilog 400s
at 460s show jobs
> at 407s job 6 COMPLETED
> at 407s terminate job 6 on n1
>  2 p      PD  0:00 1 (launch failed requeued held)
>  6 p      CG  1:40 1 n1
at 900s show jobs
> at 478s terminate job 6 on n1
> at 549s terminate job 6 on n1
> at 620s terminate job 6 on n1
> at 691s terminate job 6 on n1
> at 762s terminate job 6 on n1
>  2 p      PD  0:00 1 (launch failed requeued held)
at 900s show node n1
> n1 IDLE (idle, idle)
