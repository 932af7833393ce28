A job with --reboot whose reboot fails is requeued held, and takes no more nodes down.
conf
RebootProgram=/sbin/reboot
ResumeTimeout=60
SelectTypeParameters=CR_Core
NodeName=n[1-4] CPUs=2
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s fault never-registers n[1-3]
The reboot ends with the time of a boot.
at 2s submit -n1 --reboot --requeue --runs 10s
> job 1
> at 2s reboot n1
at 3s submit -n1 -w n4 --runs 10s
> job 2
> at 3s launch job 2 on n4
at 200s show jobs
> at 13s job 2 COMPLETED
> at 13s terminate job 2 on n4
> at 62s job 1 is requeued
>  1 p      PD  0:00 1 (node n1: reboot timed out)
at 200s show nodes
> n1 down*
> n[2-4] idle
It is tried again when it is released.
at 201s release 1
> at 201s reboot n2
at 400s show jobs
> at 261s job 1 is requeued
>  1 p      PD  0:00 1 (node n2: reboot timed out)
at 400s show nodes
> n[1-2] down*
> n[3-4] idle
A job that is not requeued ends.
at 401s submit -n1 --reboot --no-requeue --runs 10s
> job 3
> at 401s reboot n3
at 600s show jobs
> at 461s job 3 NODE_FAIL
>  1 p      PD  0:00 1 (node n2: reboot timed out)
at 600s show nodes
> n[1-3] down*
> n4 idle
A job that runs again after its release is not held any more.
at 601s release 1
> at 601s reboot n4
at 700s show jobs
> at 621s launch job 1 on n4
> at 631s job 1 COMPLETED
> at 631s terminate job 1 on n4
