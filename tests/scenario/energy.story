What nodes draw, use and save: figures for each state, readings while the state lasts.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=n[1-2] CPUs=2
NodeName=c1 CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 0s figures n1 300 100 10 200
at 0s figures c1 300 100 10 200
Idle for 100 s (10,000 J), on its way down for 10 s (1,000 J), then off at 10 W, which saves 90 W.
at 99s show energy n1
> n1 draws 100 W, has used 9900 J, saved 0 J
at 109s show energy n1
> at 100s suspend n[1-2]
> n1 draws 100 W, has used 10900 J, saved 0 J
at 210s show energy n1
> n1 draws 10 W, has used 12000 J, saved 9000 J
One that was never on saves from the beginning.
at 210s show energy c1
> c1 draws 10 W, has used 2100 J, saved 18900 J
Woken for a job: 20 s at 200 W, then 300 W while it runs, then idle.
at 300s submit -w c1 -t 100s --runs 50s
> job 1
> at 300s resume c1 (job 1: c1)
at 310s show energy c1
> c1 draws 200 W, has used 5000 J, saved 27000 J
at 330s show energy c1
> at 320s launch job 1 on c1
> c1 draws 300 W, has used 10000 J, saved 27000 J
at 400s show energy c1
> at 370s job 1 COMPLETED
> at 370s terminate job 1 on c1
> c1 draws 100 W, has used 25000 J, saved 27000 J
Nothing is known of n2, until its BMC is read.
at 400s show energy n2
> n2 draws 0 W, has used 0 J, saved 0 J
at 401s admin n2 POWER_UP
> at 401s resume n2
at 430s watts n2 150
at 440s show energy n2
> n2 draws 150 W, has used 1500 J, saved 0 J
A reading counts until the next one, or until the power state changes; idle, it is also what sleep is measured by.
at 450s watts n2 160
at 460s show energy n2
> n2 draws 160 W, has used 4600 J, saved 0 J
at 461s admin n2 POWER_DOWN
> at 461s suspend n2
at 480s show energy n2
> at 470.001s suspend c1
> n2 draws 0 W, has used 4760 J, saved 1440 J
at 580s show energy n2
> n2 draws 0 W, has used 4760 J, saved 17440 J
