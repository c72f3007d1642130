package drawing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"podium/internal/programs"
	"podium/pnml/diagnostic"
)

// layoutTime is what the layout of a picture may take.
const layoutTime = time.Minute

// Form is a form of pictures.
type Form string

// The forms: DOT is the language of Graphviz, which others can lay out. HTML is a page with
// the token game, which is made without Graphviz, not by this room.
const (
	SVG  Form = "svg"
	PNG  Form = "png"
	PDF  Form = "pdf"
	DOT  Form = "dot"
	HTML Form = "html"
)

// FormOf returns the form that is asked for by its name, or else by the ending of a file;
// SVG where neither says one.
func FormOf(name, file string) (Form, error) {
	forms := []Form{SVG, PNG, PDF, DOT, HTML}
	ending := Form(strings.ToLower(strings.TrimPrefix(filepath.Ext(file), ".")))
	if ending == "gv" {
		ending = DOT
	}
	asked := Form(name)
	switch ends := slices.Contains(forms, ending); {
	case name == "" && ends:
		return ending, nil
	case name == "" && ending != "":
		return "", fmt.Errorf("%s: there are no pictures of the form %s; end the name with .svg, .png, .pdf, .dot or .html", file, ending)
	case name == "":
		return SVG, nil
	case !slices.Contains(forms, asked):
		return "", fmt.Errorf("%q is no form of pictures: svg, png, pdf, dot or html", name)
	case ends && ending != asked:
		return "", fmt.Errorf("%s ends like a picture of the form %s, and %s is asked for", file, ending, asked)
	}
	return asked, nil
}

// Beyond so many nodes and arcs dot takes minutes for a layout that is no better.
const (
	mostRightAngled = 700
	mostRanked      = 300
)

const rightAngles = "splines=ortho "

// layoutOf returns how dot lays out a net of so many nodes and arcs: arcs turn at right
// angles; with boxes, layers go through all of them.
func layoutOf(size int, boxed bool) string {
	layout := ""
	if size <= mostRightAngled {
		layout = rightAngles
	}
	if boxed && size <= mostRanked {
		layout += "newrank=true "
	}
	return layout
}

// Picture returns a picture of a graph in the language of Graphviz, laid out by its
// program dot. The error is that of ctx, or says that dot is missing or took too long.
func Picture(ctx context.Context, graph []byte, form Form) ([]byte, error) {
	if form == DOT {
		return graph, nil
	}
	dot, err := exec.LookPath("dot")
	if err != nil {
		return nil, errors.New("pictures are laid out by Graphviz, which is not installed: install the package graphviz, or write --format dot and lay it out elsewhere")
	}
	limited, stop := context.WithTimeout(ctx, layoutTime)
	defer stop()
	picture, err := run(limited, dot, form, graph)
	if err != nil && limited.Err() == nil { // some versions of dot fail at right angles
		picture, err = run(limited, dot, form, bytes.Replace(graph, []byte(rightAngles), nil, 1))
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, fmt.Errorf("dot did not lay the net out within %s: draw a smaller instance", layoutTime)
	case err != nil:
		return nil, err
	case form != SVG:
		return picture, nil
	}
	// Names are not part of the layout: a white edge keeps them readable where
	// they cross an arc.
	return bytes.Replace(picture, []byte("<g "), []byte("<style>text{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}</style>\n<g "), 1), nil
}

func run(ctx context.Context, dot string, form Form, graph []byte) ([]byte, error) {
	var picture, complaints bytes.Buffer
	cmd := programs.Command(ctx, dot, "-T"+string(form))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(graph), &picture, &complaints
	cmd.Env = append(programs.Environment("FONTCONFIG_*", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"), "SERVER_NAME=podium") // Graphviz then opens no files
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("dot failed: %w: %s", err, diagnostic.Printable(strings.TrimSpace(complaints.String())))
	}
	return picture.Bytes(), nil
}
