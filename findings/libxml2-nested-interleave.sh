#!/bin/sh
# libxml2 2.9.14 (xmllint of Debian's libxml2-utils 2.9.14+dfsg, which has to be installed) refuses valid documents under a RELAX NG
# interleave that refers to another interleave: <name/><place/><tool/><transition/> is refused although children of
# an interleave stand in any order, and <place/><tool/><transition/> is taken. The grammar of PNML is built so.
# Prints what was seen; fails when that changes.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/grammar.rng" <<'R'
<grammar xmlns="http://relaxng.org/ns/structure/1.0">
 <start><element name="page"><interleave>
  <ref name="standard"/>
  <zeroOrMore><choice><element name="place"><empty/></element><element name="transition"><empty/></element></choice></zeroOrMore>
 </interleave></element></start>
 <define name="standard"><interleave>
  <optional><element name="name"><empty/></element></optional>
  <zeroOrMore><element name="tool"><empty/></element></zeroOrMore>
 </interleave></define>
</grammar>
R
xmllint --version 2>&1 | head -n 1
seen=
for inner in '<place/><tool/><transition/>' '<name/><place/><tool/><transition/>' '<tool/><place/><tool/><transition/>'; do
	echo "<page>$inner</page>" > "$dir/page.xml"
	if xmllint --noout --relaxng "$dir/grammar.rng" "$dir/page.xml" 2>&1; then seen="$seen taken"; else seen="$seen refused"; fi
done
echo "$seen"
test "$seen" = " taken refused refused"
