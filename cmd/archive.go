package cmd

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"podium/internal/archive"
	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/judged"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

func newArchive(s *streams) *cobra.Command {
	var out string
	var replace bool
	var o archive.Options
	cmd := &cobra.Command{
		Use:   "archive DIR --out FILE.tar.zst",
		Short: "Write a whole contest into one file that others can check",
		Long: `Archive writes all that is needed to check and to repeat a contest: plans, tools, instances,
journals, outputs, decisions, certificates and the computed tables, with the digest of every file
and a description for repositories (RO-Crate). tar and zstd unpack it; podium verify checks it and
computes every score again.

It prints the root digest, which covers every byte of the contest. Without --out it
only prints this digest, which may be published before the results: it reveals nothing of them. --sign
signs it with a key of ssh, and writes the signature beside the archive, as FILE.tar.zst.sig.`,
		Example: "  podium archive out/contest\n  podium archive out/contest --out contest-2026.tar.zst --sign ~/.ssh/id_ed25519\n  podium verify contest-2026.tar.zst",
		Args:    exactArgs(1, "the directory of a campaign"),
		RunE: ofCampaign(func(cmd *cobra.Command, c *campaign.Campaign) error {
			if err := judged.Nameable(c, time.Now()); err != nil && out != "" {
				return fmt.Errorf("no archive is written: %w; without --out the root digest is printed, which names nothing", err)
			}
			if err := files.Free(out, replace); err != nil {
				return err
			}
			if o.Key != "" && out == "" {
				return usageError{errors.New("--sign signs an archive: name it with --out")}
			}
			j, err := judge(cmd.Context(), s, c, judged.Options{})
			if err != nil {
				return err
			}
			w, err := archive.Write(cmd.Context(), out, j, o)
			if err != nil {
				return orHost(err)
			}
			fmt.Fprintf(s.err, "%s, %.1f MB before compression\n", wording.Count(w.Files, "file", "files"), float64(w.Bytes)/1e6)
			sayPassed(s, w.Passed)
			if info, err := os.Stat(out); err == nil && w.Once > archive.Budget(info.Size()) {
				fmt.Fprintf(s.err, "this is much for its size: podium verify needs --unpack-at-most %dMB\n", w.Once/1e6+1)
			}
			if out != "" && o.About.Licence == "" {
				s.say("no licence is named: repositories want one in the description, and --licence says it")
			}
			if s.asJSON {
				err = s.reply(archivedReply{out, w})
			} else {
				if out == "" {
					s.say("no archive is written: --out FILE.tar.zst writes it; this is its root digest")
				} else {
					s.say("written: " + out + ", whose root digest is")
				}
				_, err = fmt.Fprintln(s.out, w.Root)
			}
			if n := len(w.Deviations); err == nil && n > 0 {
				sayDeviations(s, w.Deviations)
				err = incompleteError{"podium verify will find this, too; `podium logs --reread " + c.Dir + "` shows what outputs say today, and --take records it"}
			}
			return err
		}),
	}
	f := cmd.Flags()
	f.StringVarP(&out, "out", "o", "", "the archive (default: only the root digest is printed)")
	registerReplace(cmd, &replace)
	f.StringVar(&o.Key, "sign", "", "sign with this private `KEY` of ssh, by ssh-keygen")
	f.BoolVar(&o.WithoutTools, "without-tools", false, "leave the files of the tools out and keep their digests, where licences ask for it")
	f.StringVar(&o.About.Licence, "licence", "", "licence of the data, for repositories: an address or a name; RO-Crate wants one")
	f.StringArrayVar(&o.About.Authors, "author", nil, "author of the data, for repositories; may be repeated")
	return cmd
}

// orHost says of a failure that this computer lacks something, where it does.
func orHost(err error) error {
	if errors.Is(err, archive.ErrNoKeygen) {
		return hostError{err}
	}
	return err
}

// sayPassed names files that are no part of a campaign.
func sayPassed(s *streams, list []string) {
	const most = 5
	if len(list) == 0 {
		return
	}
	shown := diagnostic.Line(strings.Join(list[:min(most, len(list))], ", "))
	if n := len(list) - most; n > 0 {
		shown += " and " + wording.Count(n, "other", "others")
	}
	fmt.Fprintf(s.err, "left out, because no command reads it: %s\n", shown)
}

// sayDeviations prints what an archive says otherwise than it is read or computed.
func sayDeviations(s *streams, list diagnostic.List) {
	const most = 20
	for _, d := range list[:min(most, len(list))] {
		fmt.Fprintln(s.err, d.Error())
	}
	if n := len(list) - most; n > 0 {
		fmt.Fprintf(s.err, "and %s\n", wording.Count(n, "other", "others"))
	}
}

// verifyArchive checks an archive and says what was found.
func verifyArchive(cmd *cobra.Command, s *streams, path string, by archive.Check) error {
	v, err := archive.Verify(cmd.Context(), path, by)
	if err != nil {
		return orHost(err)
	}
	var failure error
	if n := len(v.Deviations); n > 0 {
		failure = incompleteError{wording.Count(n, "place says", "places say") + " something else than what is read and computed again"}
	}
	if s.asJSON {
		return errors.Join(s.reply(verifyReply{File: path, Agrees: failure == nil, Archive: &verifiedArchive{v, findingsOf(v.Deviations)}}), failure)
	}
	fmt.Fprintf(s.out, "%s: %s\nroot digest %s\n", path, v.Name, v.Root)
	if v.Signer != "" {
		fmt.Fprintf(s.out, "signed by %s\n", v.Signer)
	}
	fmt.Fprintf(s.out, "%s, %.1f MB: all have their digests\n", wording.Count(v.Files, "file", "files"), float64(v.Bytes)/1e6)
	answers, tables := "their answers are those of the journals", "all"
	if v.Misread > 0 {
		answers = wording.Count(v.Misread, "has another answer", "have other answers") + " than the journals"
	}
	if len(v.Deviations) > v.Misread {
		tables = "not all"
	}
	fmt.Fprintf(s.out, "%s: all outputs are there, as they were; %s\n%s of tables: computed again, and %s are the same\n",
		wording.Count(v.Runs, "run", "runs"), answers, wording.Count(v.Lines, "line", "lines"), tables)
	for _, part := range v.LeftOut {
		fmt.Fprintf(s.out, "The %s are not in the archive; their digests are.\n", part)
	}
	if len(v.Unchecked) > 0 {
		fmt.Fprintln(s.out, "not checked:")
		for _, line := range v.Unchecked {
			fmt.Fprintf(s.out, "  %s\n", line)
		}
	}
	if by.Into != "" {
		fmt.Fprintf(s.out, "The campaign is in %s/campaign.\n", by.Into)
	}
	sayDeviations(s, v.Deviations)
	return failure
}
