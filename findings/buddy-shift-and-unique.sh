#!/bin/sh
# BuDDy 2.4 (Debian libbdd-dev 2.4+dfsg-1, which has to be installed, with gcc). One would guess that bvec_shr by a
# vector shifts as bvec_shrfixed does: it shifts one bit too far, 8 >> 0 is 0 and 15 >> 0 is 7. And that bdd_unique is
# the exclusive or of the cases 0 and 1 of a variable: a function without the variable comes back as it is, not as
# false.
# Prints what was seen; fails when that changes.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
dpkg-query -W libbdd-dev
cat > "$dir/t.c" <<'C'
#include <bvec.h>
#include <stdio.h>

static bdd f[16];

/* build makes all functions of two variables; bit i of k is the value at the i-th pair. */
static void build(void) {
	for (int k = 0; k < 16; k++) {
		f[k] = bddfalse;
		for (int i = 0; i < 4; i++)
			if (k >> i & 1)
				f[k] = bdd_or(f[k], bdd_and(i & 1 ? bdd_ithvar(0) : bdd_nithvar(0), i & 2 ? bdd_ithvar(1) : bdd_nithvar(1)));
		bdd_addref(f[k]);
	}
}

int main(void) {
	bdd_init(10000, 1000);
	bdd_setvarnum(2);
	int byvector = 0, fixed = 0;
	for (int x = 0; x < 16; x++)
		for (int n = 0; n < 4; n++) {
			byvector += bvec_val(bvec_shr(bvec_con(4, x), bvec_con(4, n), bddfalse)) != x >> n;
			fixed += bvec_val(bvec_shrfixed(bvec_con(4, x), n, bddfalse)) != x >> n;
		}
	printf("bvec_shr: 8>>0=%d 15>>0=%d, wrong %d of 64; bvec_shrfixed wrong %d\n",
		bvec_val(bvec_shr(bvec_con(4, 8), bvec_con(4, 0), bddfalse)),
		bvec_val(bvec_shr(bvec_con(4, 15), bvec_con(4, 0), bddfalse)), byvector, fixed);
	build();
	bdd v = bdd_ithvar(0);
	int unique = 0;
	for (int a = 0; a < 16; a++)
		unique += bdd_unique(f[a], v) != bdd_xor(bdd_restrict(f[a], bdd_nithvar(0)), bdd_restrict(f[a], v));
	printf("bdd_unique of true: %s, wrong %d of 16\n", bdd_unique(bddtrue, v) == bddtrue ? "true" : "false", unique);
	return 0;
}
C
gcc -o "$dir/t" "$dir/t.c" -lbdd
"$dir/t" | tee "$dir/out"
grep -q '^bvec_shr: 8>>0=0 15>>0=7, wrong 32 of 64; bvec_shrfixed wrong 0$' "$dir/out"
grep -q '^bdd_unique of true: true, wrong 3 of 16$' "$dir/out"
