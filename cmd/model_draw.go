package cmd

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"podium/internal/drawing"
	"podium/internal/files"
	"podium/models"
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

` + exitCodes,
		Example: "  podium model draw DiningPhilosophers-PT-002 --out picture.png",
		Args:    exactArgs(1, "an instance directory or archive"),
		RunE: func(cmd *cobra.Command, args []string) error {
			form, err := drawing.FormOf(format, out)
			if err != nil {
				return usageError{err}
			}
			if out != "" { // known before the layout
				if err := mayBeThere(files.Free(out, replace)); err != nil {
					return err
				}
			}
			i, err := oneInstance(args[0])
			if err != nil {
				return err
			}
			doc, err := i.Document()
			if err != nil {
				return err
			}
			graph, err := drawing.Dot(i, doc, limit)
			if err != nil {
				return err
			}
			picture, err := drawing.Picture(cmd.Context(), graph, form)
			if err != nil {
				return errors.Join(cmd.Context().Err(), hostError{err})
			}
			return writeTo(s, out, replace, func(w io.Writer) error { _, err := w.Write(picture); return err })
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "file that is written (default: standard output)")
	registerReplace(cmd, &replace)
	cmd.Flags().StringVar(&format, "format", format, "svg, png, pdf, or dot for the input of Graphviz (default: by the ending of --out, or svg)")
	cmd.Flags().IntVar(&limit, "limit", limit, "places and transitions that a picture may have")
	return cmd
}

// oneInstance opens a path that must hold a single instance.
func oneInstance(path string) (models.Instance, error) {
	opened, err := models.Open(path)
	if err != nil {
		return models.Instance{}, err
	}
	if len(opened.Instances) != 1 {
		return models.Instance{}, usageError{fmt.Errorf("%s holds %d instances: name one", path, len(opened.Instances))}
	}
	return opened.Instances[0], nil
}
