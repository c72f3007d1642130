package drawing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// layoutTime is what the layout of a picture may take.
const layoutTime = time.Minute

// SVG gives a picture of a graph in the language of Graphviz, laid out by its
// program dot. The error is that of ctx, or says that dot is missing or took
// too long.
func SVG(ctx context.Context, graph []byte) ([]byte, error) {
	dot, err := exec.LookPath("dot")
	if err != nil {
		return nil, errors.New("pictures are laid out by Graphviz, which is not installed: install the package graphviz, or write --format dot and lay it out elsewhere")
	}
	limited, stop := context.WithTimeout(ctx, layoutTime)
	defer stop()
	var svg, complaints bytes.Buffer
	cmd := exec.CommandContext(limited, dot, "-Tsvg")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(graph), &svg, &complaints
	cmd.Env = append(os.Environ(), "SERVER_NAME=podium") // Graphviz then opens no files
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, fmt.Errorf("dot did not lay the net out within %s: draw a smaller instance", layoutTime)
	case err != nil:
		return nil, fmt.Errorf("dot failed: %w: %s", err, strings.TrimSpace(complaints.String()))
	}
	// Names are not part of the layout: a white edge keeps them readable where
	// they cross an arc.
	return bytes.Replace(svg.Bytes(), []byte("<g "), []byte("<style>text{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}</style>\n<g "), 1), nil
}
