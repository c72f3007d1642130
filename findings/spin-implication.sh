#!/bin/sh
# Spin 6.5.2 (Debian spin 6.5.2+dfsg-1, which has to be installed, with gcc). a -> b -> c is a -> (b -> c), one would
# guess, as in most of logic: Spin reads (a -> b) -> c. With a and c false, the one holds and the other does not: the
# ltl formula [] (a -> b -> c) is violated. Spin ends with exit code 0 all the same.
# Prints what was seen; fails when that changes.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
dpkg-query -W spin
errors() { # the formula
	echo "bool a = false, b = true, c = false; ltl f { [] ($1) } active proctype p() { do :: true -> skip od }" > t.pml
	spin -run t.pml > out 2>&1
	found=$(sed -n 's/.*errors: //p' out)
	echo "$1: errors $found, exit code 0"
}
errors 'a -> b -> c'
test "$found" = 1
errors 'a -> (b -> c)'
test "$found" = 0
errors '(a -> b) -> c'
test "$found" = 1
