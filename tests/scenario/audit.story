The truth audit: what BMCs read, against what the controller thinks.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SlurmdTimeout=300
ReturnToService=2
NodeName=n[1-6] CPUs=2
NodeName=c[1-3] CPUs=2 State=CLOUD
PartitionName=q Nodes=n[1-6] SuspendTime=INFINITE
PartitionName=p Nodes=c[1-3] Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
at 1s audit ALL
A node that was never switched off by us and is on: by hand. It is awaited, and its idle clock starts when it registers.
at 2s switch on c1
at 3s audit c1
> c1 reads on: switched on by hand
at 4s show node c1
> c1 IDLE+CLOUD+NOT_RESPONDING+POWERING_UP (idle#, idle#) Reason=switched on by hand (audit)
at 4s show why c1
> c1 bmc-on since 3s until 63s: switched on by hand, as its BMC reads (audit)
A slow audit: that its agent was heard of since it was asked is no change; that it has come up is one, if it reads off.
at 25s audit c1 20s
at 26s fault bmc-lies c1
at 26s audit c1 20s
> c1 reads on: its power is changing
at 26s repair c1
at 30s show node c1
> c1 IDLE+CLOUD (idle, idle) Reason=switched on by hand (audit)
at 200s show node c1
> at 122s suspend c1
> c1 IDLE+CLOUD+POWERED_DOWN (idle~, idle~)
One that was read as off after we switched it off: the same.
at 210s audit c1
at 211s switch on c1
at 212s audit c1
> c1 reads on: switched on by hand
at 240s show node c1
> c1 IDLE+CLOUD (idle, idle) Reason=switched on by hand (audit)
A person in the firmware's menu: it does not register, is not offered to jobs, no ResumeFailProgram, and it is not fought over.
at 241s fault never-registers c2
at 242s switch on c2
at 243s audit c2
> c2 reads on: switched on by hand
at 310s show node c2
> c2 DOWN+CLOUD+POWERED_DOWN (down~, down~) Reason=switched on by hand (audit) : ResumeTimeout reached
at 311s audit c2
> c2 reads on: out of service, left alone
at 320s audit c2
> c2 reads on: out of service, left alone
at 321s show why c2
> c2 off since 243s until -: DOWN: switched on by hand (audit) : ResumeTimeout reached; its BMC reads on and is left alone (audit)
Resumed by an admin it should be off as any other.
at 322s admin c2 RESUME
at 323s audit c2
> c2 reads on: its power-off may not have worked
at 323s show why c2
> c2 off since 243s until -: switched off, but its BMC reads on: once more, and it is switched off again (audit)
at 324s audit c2
> c2 reads on: its power-off did not work, it is switched off again
> at 324s suspend c2
at 325s show node c2
> c2 IDLE+CLOUD+POWERING_DOWN (idle%, idle%) Reason=still on after power-off (audit)
at 340s audit c2
> at 331s suspend c1
at 341s show node c2
> c2 IDLE+CLOUD+POWERED_DOWN (idle~, idle~)
Our power-off did not work: the second audit in a row has SuspendProgram run again; a job in between counts anew.
at 400s submit -w c3 --runs 10s
> job 1
> at 400s resume c3 (job 1: c3)
at 430s fault ignores-off c3
> at 420s launch job 1 on c3
> at 430s job 1 COMPLETED
> at 430s terminate job 1 on c3
at 431s cut c3
at 432s admin c3 POWER_DOWN_FORCE
> at 432s suspend c3
at 445s audit c3
> c3 reads on: its power-off may not have worked
at 446s show node c3
> c3 IDLE+CLOUD+POWERED_DOWN (idle~, idle~)
at 450s audit c3
> c3 reads on: its power-off did not work, it is switched off again
> at 450s suspend c3
at 451s show node c3
> c3 IDLE+CLOUD+POWERING_DOWN (idle%, idle%) Reason=still on after power-off (audit)
at 462s repair c3
at 470s audit c3
> c3 reads on: its power-off may not have worked
at 471s audit c3
> c3 reads on: its power-off did not work, it is switched off again
> at 471s suspend c3
at 490s audit c3
at 491s show node c3
> c3 IDLE+CLOUD+POWERED_DOWN (idle~, idle~)
Switched off by hand, or lost power: DOWN at the audit, its job goes back to the queue; not after SlurmdTimeout.
at 611s submit -p q -w n1 --requeue
> job 2
> at 611s launch job 2 on n1
at 612s cut n1
at 613s audit n1
at 614s switch off n1
at 620s audit n1
> n1 reads off: its power is lost, it is down
> at 620s job 2 is requeued
at 621s show node n1
> n1 DOWN+NOT_RESPONDING (down*, down*) Reason=power is off (audit)
at 622s show jobs
>  2 q      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n1)
at 623s audit n1
> n1 reads off: out of service, left alone
A connection that still stands: the agent is asked. One that does not answer in time has lost its power.
at 630s fault never-answers n2
at 630s fault bmc-lies n2
at 631s audit n2
> n2 reads off: but its agent is connected and is asked
at 633s audit n2
> n2 reads off: but its agent is connected and is asked
at 634s show node n2
> n2 IDLE (idle, idle)
at 640s show node n2
> at 636s disconnect n2
> n2 DOWN+NOT_RESPONDING (down*, down*) Reason=power is off (audit)
An agent that answers proves its BMC wrong.
at 650s fault bmc-lies n3
at 650s tell probe
at 651s audit n3
> n3 reads off: but its agent is connected and is asked
> at 651s probe job 0 on n3
at 660s audit n3
> n3 reads off: but its agent is connected and is asked
> at 660s probe job 0 on n3
at 665s show node n3
> n3 IDLE (idle, idle)
When an agent's connection is lost its BMC is read at once; not twice within half a minute.
at 700s bmcs on
at 700s tell look
at 701s switch off n4
at 710s show node n4
> at 706s look job 0 on n4
> n4 DOWN+NOT_RESPONDING (down*, down*) Reason=power is off (audit)
at 721s cut n5
> at 721s look job 0 on n5
at 723s mend n5
at 724s cut n5
at 730s show node n5
> n5 IDLE+NOT_RESPONDING (idle*, idle*)
at 731s mend n5
What a person has taken out of service is left alone.
at 740s admin n6 DRAIN mine
at 741s admin n6 POWER_DOWN
> at 741s suspend n6
at 760s switch on n6
at 761s audit n6
> n6 reads on: out of service, left alone
at 762s audit n6
> n6 reads on: out of service, left alone
