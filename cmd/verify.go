package cmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"podium/internal/archive"
	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/results"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

func newVerify(s *streams) *cobra.Command {
	o := source{}
	var by archive.Check
	var most byteSize
	cmd := &cobra.Command{
		Use:   "verify ARCHIVE | FILE --edition ID",
		Short: "Compute a published contest again and compare every cell",
		Long: `Verify reads raw-result-analysis.csv (plain, .zip, .gz or .tar.gz), judges its answers and
measurements under an edition, and counts per column how many cells agree and deviate; the first
deviations are shown.

Faults of the file itself come first, with their lines: cut rows, two rows of one run and, as a
warning, missing rows.

An archive of podium archive needs nothing else: verify checks the digest of every file, the inputs
against the plan, every output against the journal, and computes all tables again. --signers also
checks who signed it; --into unpacks it, so that podium status, explain or run work on the contest.
What is not checked is named.

Exit codes: 0 no cell deviates, 2 usage, 3 some deviate, 4 the file is damaged or cannot be read.`,
		Example: "  podium verify contest-2026.tar.zst\n  podium verify --edition mcc2019 raw-result-analysis-2019.csv.zip",
		Args:    exactArgs(1, "an archive or a published result file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case (by.Signature != "" || by.Signer != "") && by.Signers == "":
				return usageError{errors.New("--signature and --signer need --signers FILE, which names who may have signed")}
			case by.Signer != "" && !archive.IsName(by.Signer):
				return usageError{fmt.Errorf("--signer %s: this is no name of a signer", diagnostic.Excerpt(by.Signer))}
			}
			by.Most = int64(most)
			if archive.Is(args[0]) {
				return verifyArchive(cmd, s, args[0], by)
			} else if by != (archive.Check{}) {
				return usageError{fmt.Errorf("%s is no archive: --into, --unpack-at-most, --signers, --signer and --signature are for archives", args[0])}
			}
			if campaign.Is(args[0]) {
				return usageError{fmt.Errorf("%s is a campaign: `podium archive %[1]s --out FILE.tar.zst` writes what verify checks", args[0])}
			}
			ed, err := o.loadEdition()
			if err != nil {
				return err
			}
			p, err := o.participants()
			if err != nil {
				return err
			}
			name, in, err := judged.OpenResults(args[0])
			if err != nil {
				return err
			}
			t, found := results.ReadTable(name, in)
			if err := sayWarnings(s, found); err != nil {
				return err
			}
			report, found := results.Verify(t, ed, p)
			if err := sayWarnings(s, found); err != nil {
				return err
			}
			if err := judged.CheckTools(report.Result.Contest, o.outOfCompetition); err != nil {
				return err
			}
			if err := s.print(verifyReply{File: args[0], Agrees: report.Deviations() == 0, Results: report}, report.WriteText); err != nil {
				return err
			}
			if n := report.Deviations(); n > 0 {
				return incompleteError{fmt.Sprintf("%s from edition %s", wording.Count(n, "cell deviates", "cells deviate"), ed.ID)}
			}
			return nil
		},
	}
	o.register(cmd)
	f := cmd.Flags()
	f.StringVar(&by.Into, "into", "", "unpack an archive to this new `DIR`, and leave it there")
	f.Var(&most, "unpack-at-most", "how much an archive may unpack to, such as 20GB (default: 100 times its size, at least 64 MB)")
	f.StringVar(&by.Signers, "signers", "", "`FILE` of allowed signers, in the form of ssh-keygen: NAME KEYTYPE KEY, one per line")
	f.StringVar(&by.Signer, "signer", "", "`NAME` of the one signer that is accepted (default: any of --signers)")
	f.StringVar(&by.Signature, "signature", "", "`FILE` with the signature (default: ARCHIVE.sig)")
	return cmd
}
