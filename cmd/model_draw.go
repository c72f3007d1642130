package cmd

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"podium/internal/drawing"
	"podium/internal/files"
	"podium/internal/publish"
	"podium/internal/workbench"
	"podium/models"
	"podium/pnml/diagnostic"
)

func newModelDraw(s *streams) *cobra.Command {
	var out string
	var replace bool
	format, limit := "", 250
	cmd := &cobra.Command{
		Use:   "draw INSTANCE",
		Short: "Draw a picture of a small net",
		Long: `Draw writes a picture of a net: places as circles with their tokens, transitions as bars, weights
beside the arcs; coloured nets with sorts, markings, guards and inscriptions. A place that a
transition only tests has one arc with two heads. Nested units are boxes around their places. The
ending of --out says the form: .svg, .png, .pdf, or .dot for what Graphviz reads. The layout is made
by Graphviz, whose program dot must be installed; the form dot needs nothing.

An --out that ends in .html becomes a page with the token game: transitions fire at a click. The
page is one file and needs no network. It is for nets of at most 200 places and transitions, and
shows a coloured net by its unfolding. It needs no Graphviz, and --limit does not apply.`,
		Example: "  podium model draw DiningPhilosophers-PT-002 --out picture.png\n  podium model draw DiningPhilosophers-PT-002 --out game.html",
		Args:    exactArgs(1, "an instance: a directory, an archive or a net (.pnml)"),
		RunE: func(cmd *cobra.Command, args []string) error {
			form, err := drawing.FormOf(format, out)
			if err != nil {
				return usageError{err}
			}
			if out != "" { // known before the layout
				if err := files.Free(out, replace); err != nil {
					return err
				}
			}
			i, err := s.openOne(args[0])
			if err != nil {
				return err
			}
			doc, err := i.Document()
			if err != nil {
				return err
			}
			if form == drawing.HTML {
				return writeGame(cmd.Context(), s, i, out, replace)
			}
			graph, err := drawing.Dot(i, doc, limit)
			if err != nil {
				return err
			}
			picture, err := drawing.Picture(cmd.Context(), graph, form)
			if err != nil {
				return errors.Join(cmd.Context().Err(), hostError{err})
			}
			if out == "" && width(s.out) > 0 {
				defer s.say("this is the picture as text; -o net.svg writes it to a file, and -o net.html a page on which the net is played")
			}
			return writeTo(s, out, replace, files.Bytes(picture))
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "file that is written (default: standard output)")
	registerReplace(cmd, &replace)
	cmd.Flags().StringVar(&format, "format", format, "svg, png, pdf, dot for the input of Graphviz, or html for the token game (default: by the ending of --out, or svg)")
	cmd.Flags().IntVar(&limit, "limit", limit, "places and transitions that a picture may have")
	return cmd
}

// mostPlayed bounds the file of a net to play on.
const mostPlayed = 4 << 20

// writeGame writes the page on which an instance can be played.
func writeGame(ctx context.Context, s *streams, i models.Instance, out string, replace bool) error {
	text, err := i.ReadFile(models.ModelFile, mostPlayed)
	if err != nil {
		return err
	}
	report, err := new(workbench.Bench).Add(ctx, workbench.File{Name: models.ModelFile, Text: string(text)}, "")
	if err != nil {
		return err
	}
	if report.Net == nil {
		message := "the net is too large to play on: "
		for _, fact := range report.Facts {
			if strings.HasPrefix(fact[0], "places") || strings.HasPrefix(fact[0], "transitions") {
				message += fact[1] + " " + fact[0] + ", "
			}
		}
		return diagnostic.Diagnostic{File: i.Path, Severity: diagnostic.Error, Code: "draw-large", Message: strings.TrimRight(message, ",: "),
			Hint: "take a smaller instance of the model, with at most 200 places and transitions"}
	}
	return writeTo(s, out, replace, func(w io.Writer) error { return publish.WriteGame(w, i.ID.String(), report.Net) })
}
