#!/bin/sh
# runlim 1.10 (Debian runlim 1.10-6, which has to be installed) measures runs of solvers. Its line "result" is the
# exit code of the program, one would guess: it is 0 after exit code 3, 10 and 20 alike, the status is "ok", and
# runlim ends with 0, so that SAT and UNSAT look the same. Only signals and its own limits show.
# Prints what was seen; fails when that changes.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
dpkg-query -W runlim
for code in 0 3 10 20; do
	printf '#!/bin/sh\nexit %s\n' "$code" > "$dir/tool"
	chmod +x "$dir/tool"
	runlim -o "$dir/log" "$dir/tool"
	seen=$(sed -n 's/^\[runlim\] \(status\|result\):[[:space:]]*/\1 /p' "$dir/log" | xargs)
	echo "exit code $code: $seen"
	test "$seen" = "status ok result 0"
done
