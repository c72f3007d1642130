package publish

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io"

	"podium/pnml/diagnostic"
)

//go:embed game.html
var gameHTML string

var gamePage = template.Must(template.New("game").Parse(gameHTML))

// WriteGame writes a page on which a small net can be played: the token game of the
// workbench, with all it needs in one file. The net is one of the workbench
// (workbench.Net).
func WriteGame(w io.Writer, title string, net any) error {
	text, err := json.Marshal(net) // without <, > and &
	if err != nil {
		return err
	}
	style, script := asset("style.css"), asset("podium.js")+asset("game.js")
	return gamePage.Execute(w, struct {
		Title, Policy string
		Style         template.CSS
		Net, Script   template.JS
	}{diagnostic.Clean(title), "default-src 'none'; style-src " + hashed(style) + "; script-src " + hashed(script) + "; base-uri 'none'; form-action 'none'",
		template.CSS(style), template.JS(text), template.JS(script)})
}

// hashed names a text that a page may run, or be styled by, in its policy.
func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
