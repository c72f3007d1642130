#!/bin/sh
# mcc (github.com/dalzilio/mcc, commit 917f20a) unfolds valid symmetric nets to other nets: equal colours of an initial
# <add> are not summed (2 tokens, not 3), and an arc at a reference place is left out.
# Prints what was seen; fails when that changes.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mcc=${MCC:?names the program, built by: git clone https://github.com/dalzilio/mcc; cd mcc; git checkout 917f20a; go build}
net() { # what stands in the marking, what the arc takes from, a node more
	cat <<N
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet"><name><text>n</text></name><page id="g">
<place id="p"><name><text>p</text></name><type><structure><usersort declaration="C"/></structure></type><hlinitialMarking><structure>$1</structure></hlinitialMarking></place>
<place id="q"><name><text>q</text></name><type><structure><usersort declaration="C"/></structure></type></place>$3
<transition id="t"><name><text>t</text></name></transition>
<arc id="a" source="$2" target="t"><hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
<arc id="b" source="t" target="q"><hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
</page><declaration><structure><declarations><namedsort id="C" name="C"><cyclicenumeration><feconstant id="c1" name="c1"/></cyclicenumeration></namedsort>
<variabledecl id="x" name="x"><usersort declaration="C"/></variabledecl></declarations></structure></declaration></net></pnml>
N
}
number() { printf '<numberof><subterm><numberconstant value="%s"><positive/></numberconstant></subterm><subterm><useroperator declaration="c1"/></subterm></numberof>' "$1"; }
net "<add><subterm>$(number 1)</subterm><subterm>$(number 2)</subterm></add>" p "" > "$dir/add.pnml"
net "$(number 1)" r '<referencePlace id="r" ref="p"/>' > "$dir/reference.pnml"
for n in add reference; do
	echo "== $n"
	"$mcc" tina -i "$dir/$n.pnml" -o - | grep -E '^(pl|tr) ' | tee "$dir/$n.out"
done
grep -q '^pl p_[0-9]* (2)$' "$dir/add.out"
! grep -q 'p_[0-9]* ->' "$dir/reference.out"
