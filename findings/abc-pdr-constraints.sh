#!/bin/sh
# A constraint of an AIGER 1.9 file holds in every step, one would guess, or the program says that it cannot. pdr of
# ABC (Debian berkeley-abc 1.01+20221019git70cb339+dfsg-4, which has to be installed) announces the constraint and
# drops it: it finds a counterexample that breaks it. After "fold", the same pdr proves the same property; bmc3
# refuses the file.
# Prints what was seen; fails when that changes.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
dpkg-query -W berkeley-abc
# One latch, 0 at first, turns over in each step; bad: the latch is 1; constraint: the latch is 0.
printf 'aig 1 0 1 0 0 1 1\n3\n2\n3\n' > "$dir/net.aig"
run() { # commands after the reading, what has to be in the output
	echo "== $1"
	(cd "$dir" && berkeley-abc -q "read_aiger net.aig; $1" 2>&1) | tee "$dir/out"
	grep -q "$2" "$dir/out"
}
run "pdr" 'Output 0 of miter .* was asserted in frame 1'
run "fold; pdr" 'Property proved'
run "bmc3" 'Constraints have to be folded'
