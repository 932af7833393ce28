What is shown of a node with a BMC that read on and without a boot, and of one that fails first and has power then.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=c[1-2] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s fault never-registers c[1-2]
at 1s admin c[1-2] power_up
> at 1s resume c[1-2]
at 5s outcome c1 resume ok
at 6s show why c1
> c1 bmc-on since 5s until 61s: as asked for by hand (uid 0)
It is not "bmc-off": its BMC has read on.
at 62s show why c1
> at 61s suspend c2
> at 61s resume-fail c[1-2]
> c1 off since 1s until -: DOWN: ResumeTimeout reached
at 62s audit c1
> c1 reads on: out of service, left alone
at 63s show why c1
> c1 off since 1s until -: DOWN: ResumeTimeout reached; its BMC reads on and is left alone (audit)
A node that has power at the second try has no error any more.
at 71s admin c2 power_up
> at 71s resume c2
at 72s outcome c2 resume no-power
> at 72s resume-fail c2
at 73s show node c2
> c2 IDLE+CLOUD+POWERED_DOWN (idle~, idle~) PowerError=no-power
at 90s admin c2 power_up
> at 90s resume c2
at 91s show node c2
> c2 IDLE+CLOUD+NOT_RESPONDING+POWERING_UP (idle#, idle#) PowerError=no-power
at 92s outcome c2 resume ok
at 93s show node c2
> c2 IDLE+CLOUD+NOT_RESPONDING+POWERING_UP (idle#, idle#)
