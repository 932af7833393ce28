A list of a reservation lets names in or keeps names out, not both. An empty value is an empty list, so that groups can follow users. Accounts are those that there are, where jobs must have one.
conf
SelectType=select/linear
AccountingStorageEnforce=associations
NodeName=n[1-3] CPUs=1
PartitionName=main Nodes=n[1-3] Default=YES MaxTime=INFINITE
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 0s sacctmgr add account team
at 0s sacctmgr add account other
at 0s sacctmgr add user user account=team
at 0s reserve ReservationName=r StartTime=now Duration=60 Users=user,-another Nodes=n1
> refused: Invalid update specification (Users=user,-another: a list of permitted names or, each with a minus sign, of excluded ones was expected)
at 0s reserve ReservationName=r StartTime=now Duration=60 Users=-user,another Nodes=n1
> refused: Invalid update specification (Users=-user,another: a list of permitted names or, each with a minus sign, of excluded ones was expected)
at 0s reserve ReservationName=r StartTime=now Duration=60 Accounts=taem Nodes=n1
> refused: Invalid account or account/partition combination specified (Accounts: there is no account "taem")
at 0s reserve ReservationName=r StartTime=now Duration=60 Accounts=-team,-taem Nodes=n1
> refused: Invalid account or account/partition combination specified (Accounts: there is no account "taem")
at 0s reserve ReservationName=r StartTime=now Duration=60 Users=user Accounts=team Nodes=n1
> reservation r
at 1s reserve update=r Users+=-another
> refused: Invalid update specification (Users=-another: a list of permitted names or, each with a minus sign, of excluded ones was expected)
at 1s reserve update=r Accounts+=otehr
> refused: Invalid account or account/partition combination specified (Accounts: there is no account "otehr")
at 1s reserve update=r Accounts+=other
at 1s reserve update=r Accounts=team,
> refused: Invalid update specification (Accounts=team,: names joined by commas, each perhaps behind a sign was expected)
at 2s sacctmgr delete account other
at 2s reserve update=r Duration=90
at 2s reserve update=r Accounts-=other
at 3s submit --user=user --reservation r --account team -t 10m
> job 1
> at 3s launch job 1 on n1
at 4s reserve update=r Users=
at 5s reserve update=r Groups=users
at 6s reserve update=r Accounts=
at 7s reserve update=r Groups=
> refused: Reservation request lacks users, groups or accounts
