#!/bin/sh
# xmlschema for Python 1.10.0 (Debian python3-xmlschema 1.10.0-6, which has to be installed). Numbers of XML Schema
# are ASCII digits, one would guess: a marking (xs:nonNegativeInteger) of 1_000 or of Arabic digits is valid and
# becomes 1000 and 3, as Python's int takes them. xmllint refuses both; xs:decimal in the same library does, too.
# Prints what was seen; fails when that changes. Needs xmllint (Debian libxml2-utils).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
dpkg-query -W python3-xmlschema
schema() { # the type of the text
	cat <<X
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="text" type="xs:$1"/></xs:schema>
X
}
schema nonNegativeInteger > "$dir/integer.xsd"
schema decimal > "$dir/decimal.xsd"
cat > "$dir/t.py" <<'P'
import sys, xmlschema
schema = xmlschema.XMLSchema(sys.argv[1])
print(schema.to_dict(sys.argv[2]) if schema.is_valid(sys.argv[2]) else "refused")
P
seen=
for text in 1000 1_000 ٣; do
	echo "<text>$text</text>" > "$dir/t.xml"
	for type in integer decimal; do
		seen="$seen $(/usr/bin/python3 "$dir/t.py" "$dir/$type.xsd" "$dir/t.xml")"
		other=taken
		xmllint --noout --schema "$dir/$type.xsd" "$dir/t.xml" 2> /dev/null || other=refused
		seen="$seen/$other"
	done
done
echo "xmlschema/xmllint, as integer and decimal:$seen"
test "$seen" = " 1000/taken 1000/taken 1000/refused refused/refused 3/refused refused/refused"
