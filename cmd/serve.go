package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/publish"
	"podium/internal/serve"
)

// serveOptions are the flags of verbs that serve a campaign.
type serveOptions struct {
	address   string
	tokenFile string
	hosts     []string
	by        judged.Options // how the campaign is judged
	previous  []string
}

func (o *serveOptions) register(f *pflag.FlagSet, address, listen string) {
	f.StringVar(&o.address, "listen", address, listen)
	f.StringVar(&o.tokenFile, "token-file", "", "`FILE` whose first line is the token that readers must know (default: none on an address of this computer alone, else a new one)")
	f.StringArrayVar(&o.hosts, "host-name", nil, "another `NAME` of this computer that browsers may use in the address, beside localhost, its own name and its numeric addresses; may be repeated")
}

func newServe(s *streams) *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve DIR",
		Short: "Show a campaign in the browser, also while it runs",
		Long: `Serve shows over HTTP the pages that ` + "`podium publish`" + ` writes, made again as the journal grows,
and beside them the page Live, which needs no reload: how far the runs are, what is under way and on
which host, when it probably ends, what went wrong, and the scores so far with the least and the
greatest final points. It changes nothing in the campaign. ` + "`podium run --listen ADDRESS`" + ` serves while it
works.

Only this computer can reach the server, unless --listen names another address; readers need a token
then. Surprise models under an embargo are not named. It ends at Ctrl-C (docs/live.md).

--edition, --certified and --previous mean what they mean for ` + "`podium publish`" + `; earlier editions are read once.

Exit codes: 0 ended by Ctrl-C or SIGTERM, 1 internal failure, 2 usage, 4 invalid input, 5 it cannot listen on the
address, 6 the campaign was made with another edition.`,
		Example: "  podium serve out/contest\n  podium serve --listen 0.0.0.0:8080 out/contest\n  podium serve --previous mcc2019=raw-result-analysis-2019.csv.zip out/contest",
		Args:    exactArgs(1, "the directory of a campaign"),
		RunE: ofCampaign(func(cmd *cobra.Command, c *campaign.Campaign) error {
			defer s.upkeep.hold()() // a directory to remove
			server, err := o.start(cmd.Context(), s, c, 10)
			if err != nil {
				return err
			}
			return errors.Join(server.Wait(cmd.Context()), server.Close())
		}),
	}
	o.register(cmd.Flags(), "127.0.0.1:8080", "`ADDRESS` and port; 0.0.0.0 is every address of this computer, port 0 one that is free")
	registerCertified(cmd, &o.by.Certificate)
	cmd.Flags().StringVarP(&o.by.Edition, "edition", "e", "", "score under this edition instead of the campaign's")
	registerPrevious(cmd, &o.previous)
	return cmd
}

// start begins to serve a campaign, and says where. The server rests that many times as long as
// it works.
func (o *serveOptions) start(ctx context.Context, s *streams, c *campaign.Campaign, rest int) (*serve.Server, error) {
	ed, err := judged.EditionOf(c, o.by.Edition)
	if err != nil {
		return nil, err
	}
	if o.by.Certificate != "" {
		if _, err := judged.OpenCertificate(o.by.Certificate, func(string) {}); err != nil {
			return nil, err
		}
	}
	earlier, err := readEarlier(s, o.previous)
	if err != nil {
		return nil, err
	}
	token, err := readToken(o.tokenFile)
	if err != nil {
		return nil, err
	}
	unread := map[string]bool{} // what was said
	server, err := serve.Start(ctx, serve.Options{Address: o.address, Token: token, Hosts: o.hosts, Dir: c.Dir, Edition: ed.ID, Rest: rest, Say: s.say,
		Open: func() (*campaign.Campaign, error) { return campaign.Open(c.Dir) },
		Judge: func(ctx context.Context, c *campaign.Campaign) (*judged.Campaign, error) {
			return judged.Judge(ctx, c, judged.Options{Edition: o.by.Edition, Certificate: o.by.Certificate, WithoutEmbargoed: true, Now: time.Now()})
		},
		Publish: func(ctx context.Context, dir string, j *judged.Campaign) (*publish.Contest, error) {
			shown := pagesOf(j)
			earlier.addTo(shown)
			err := writePages(ctx, dir, shown, &j.Contest)
			for _, d := range j.Unread() {
				if text := d.Error(); !unread[text] {
					unread[text] = true
					s.say(text)
				}
			}
			return shown, err
		}})
	if err != nil {
		return nil, err
	}
	if err := judged.Nameable(c, time.Now()); err != nil {
		fmt.Fprintf(s.err, "%v: they are left out\n", err)
	}
	fmt.Fprintf(s.err, "live: %s\n", server.URL())
	if server.Open() {
		fmt.Fprintln(s.err, "who has this address with its token can read the campaign; it travels unencrypted (docs/live.md)")
	}
	return server, nil
}

// leastToken is the length of the shortest token that a person may choose.
const leastToken = 16

// readToken reads the token of a file; no file is no token.
func readToken(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Scan()
	token := strings.TrimSpace(lines.Text())
	if err := lines.Err(); err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	if len(token) < leastToken || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`",;\&+#%`, r) }) {
		return "", usageError{fmt.Errorf("%s: its first line is no token: write at least %d letters, digits, '-' or '_'", file, leastToken)}
	}
	return token, nil
}
