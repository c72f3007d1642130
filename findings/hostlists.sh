#!/bin/sh
# Lists of hosts mean one thing, one would guess. Slurm 22.05.8 (Debian slurm-client) expands n[9-010] to n9 n10 and
# n[01-3] to n01 n02 n03, keeps doubles, and refuses n[1-2].example and n[1-2]x. nodeset of ClusterShell 1.9.1 (Debian
# clustershell 1.9.1-1) refuses the first two, drops doubles, and takes the last two. Both have to be installed.
# Prints what was seen; fails when that changes.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
dpkg-query -W slurm-client clustershell
printf 'ClusterName=c\nSlurmctldHost=localhost\n' > "$dir/slurm.conf"
export SLURM_CONF="$dir/slurm.conf"
both() { # a list, what each makes of it
	slurm=$(scontrol show hostnames "$1" 2> /dev/null | xargs)
	nodeset=$(nodeset -e "$1" 2> /dev/null) || nodeset=
	echo "$1: Slurm ${slurm:-refuses}; nodeset ${nodeset:-refuses}"
	test "$slurm" = "$2"
	test "$nodeset" = "$3"
}
both 'n[01-03]' 'n01 n02 n03' 'n01 n02 n03'
both 'n[01-3]' 'n01 n02 n03' ''
both 'n[9-010]' 'n9 n10' ''
both 'n1,n1' 'n1 n1' 'n1'
both 'n[1-2].example' '' 'n1.example n2.example'
both 'n[1-2]x' '' 'n1x n2x'
