#!/bin/sh
# Jing (Debian's jing 20220510, which has to be installed) names every file that breaks the schema, but
# stops at the first one that is not well-formed: the files named after it are not looked at, and nothing says so. The
# exit code is 1 in both cases, so that a batch of nets looks validated.
# Prints what was seen; fails when that changes.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '<element name="net" xmlns="http://relaxng.org/ns/structure/1.0"><attribute name="id"/></element>' > net.rng
echo '<net id="n1"/>' > valid.xml
echo '<net/>' > invalid.xml
echo '<net id="n1" id="n2"/>' > broken.xml
cp invalid.xml later.xml
dpkg-query -W -f '${Package} ${Version}\n' jing
refused() { jing net.rng "$@" 2>&1 | sed -n 's/.*\/\([a-z]*\)\.xml:.*/\1/p' | tr '\n' ' '; }
schema=$(refused valid.xml invalid.xml later.xml)
syntax=$(refused valid.xml broken.xml later.xml)
echo "schema errors: $schema"
echo "after a file that is not well-formed: $syntax"
test "$schema" = "invalid later "
test "$syntax" = "broken "
