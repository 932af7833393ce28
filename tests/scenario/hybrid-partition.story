The guide's second hybrid cluster: SuspendTime stands on a partition of cloud nodes only, so nothing need be excluded.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CORE_Memory
SuspendProgram=/bin/true
ResumeProgram=/bin/true
TreeWidth=128
NodeName=DEFAULT    Sockets=1 CoresPerSocket=4 ThreadsPerCore=2
NodeName=tux[0-127] Weight=1 Feature=local State=UNKNOWN
NodeName=ec[0-127]  Weight=8 Feature=cloud State=CLOUD
PartitionName=debug MaxTime=1:00:00 Nodes=tux[0-32] Default=YES
PartitionName=batch MaxTime=8:00:00 Nodes=tux[0-127],ec[0-127]
PartitionName=cloud Nodes=ec[0-127] SuspendTime=600
end
at 0s hush agents
> at 0s tux0 registers
> at 0s tux1 registers
> at 0s tux2 registers
> at 0s tux3 registers
> at 0s tux4 registers
> at 0s tux5 registers
> at 0s tux6 registers
> at 0s tux7 registers
> at 0s tux8 registers
> at 0s tux9 registers
> at 0s tux10 registers
> at 0s tux11 registers
> at 0s tux12 registers
> at 0s tux13 registers
> at 0s tux14 registers
> at 0s tux15 registers
> at 0s tux16 registers
> at 0s tux17 registers
> at 0s tux18 registers
> at 0s tux19 registers
> at 0s tux20 registers
> at 0s tux21 registers
> at 0s tux22 registers
> at 0s tux23 registers
> at 0s tux24 registers
> at 0s tux25 registers
> at 0s tux26 registers
> at 0s tux27 registers
> at 0s tux28 registers
> at 0s tux29 registers
> at 0s tux30 registers
> at 0s tux31 registers
> at 0s tux32 registers
> at 0s tux33 registers
> at 0s tux34 registers
> at 0s tux35 registers
> at 0s tux36 registers
> at 0s tux37 registers
> at 0s tux38 registers
> at 0s tux39 registers
> at 0s tux40 registers
> at 0s tux41 registers
> at 0s tux42 registers
> at 0s tux43 registers
> at 0s tux44 registers
> at 0s tux45 registers
> at 0s tux46 registers
> at 0s tux47 registers
> at 0s tux48 registers
> at 0s tux49 registers
> at 0s tux50 registers
> at 0s tux51 registers
> at 0s tux52 registers
> at 0s tux53 registers
> at 0s tux54 registers
> at 0s tux55 registers
> at 0s tux56 registers
> at 0s tux57 registers
> at 0s tux58 registers
> at 0s tux59 registers
> at 0s tux60 registers
> at 0s tux61 registers
> at 0s tux62 registers
> at 0s tux63 registers
> at 0s tux64 registers
> at 0s tux65 registers
> at 0s tux66 registers
> at 0s tux67 registers
> at 0s tux68 registers
> at 0s tux69 registers
> at 0s tux70 registers
> at 0s tux71 registers
> at 0s tux72 registers
> at 0s tux73 registers
> at 0s tux74 registers
> at 0s tux75 registers
> at 0s tux76 registers
> at 0s tux77 registers
> at 0s tux78 registers
> at 0s tux79 registers
> at 0s tux80 registers
> at 0s tux81 registers
> at 0s tux82 registers
> at 0s tux83 registers
> at 0s tux84 registers
> at 0s tux85 registers
> at 0s tux86 registers
> at 0s tux87 registers
> at 0s tux88 registers
> at 0s tux89 registers
> at 0s tux90 registers
> at 0s tux91 registers
> at 0s tux92 registers
> at 0s tux93 registers
> at 0s tux94 registers
> at 0s tux95 registers
> at 0s tux96 registers
> at 0s tux97 registers
> at 0s tux98 registers
> at 0s tux99 registers
> at 0s tux100 registers
> at 0s tux101 registers
> at 0s tux102 registers
> at 0s tux103 registers
> at 0s tux104 registers
> at 0s tux105 registers
> at 0s tux106 registers
> at 0s tux107 registers
> at 0s tux108 registers
> at 0s tux109 registers
> at 0s tux110 registers
> at 0s tux111 registers
> at 0s tux112 registers
> at 0s tux113 registers
> at 0s tux114 registers
> at 0s tux115 registers
> at 0s tux116 registers
> at 0s tux117 registers
> at 0s tux118 registers
> at 0s tux119 registers
> at 0s tux120 registers
> at 0s tux121 registers
> at 0s tux122 registers
> at 0s tux123 registers
> at 0s tux124 registers
> at 0s tux125 registers
> at 0s tux126 registers
> at 0s tux127 registers
at 0s hush launch
at 0s hush terminate
at 1s show nodes
> tux[0-127] idle
> ec[0-127] idle~
at 2s submit -p batch -N130 --exclusive --runs 100s
> job 1
> at 2s resume ec[0-1] (job 1: ec[0-1])
at 3s show nodes
> tux[0-127] alloc
> ec[0-1] alloc#
> ec[2-127] idle~
at 40s show jobs
>  1 batch  R   0:18 130 tux[0-127],ec[0-1]
at 500s show nodes
> at 122s job 1 COMPLETED
> tux[0-127],ec[0-1] idle
> ec[2-127] idle~
at 800s show nodes
> at 722s suspend ec[0-1]
> tux[0-127] idle
> ec[0-127] idle~
at 4000s show nodes
> tux[0-127] idle
> ec[0-127] idle~
