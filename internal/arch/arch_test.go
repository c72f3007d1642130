package arch

import (
	"encoding/json"
	"io"
	"maps"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// module begins the import paths of this module; `make module` changes it.
const module = "podium/"

// rooms is the plan of the house: each room and the rooms it may see. Nobody
// edits it to fix a build; when the plan is wrong, docs/architecture.md changes
// with it.
var rooms = map[string][]string{
	"pnml/diagnostic":          {},
	"pnml/xmlscan":             {"pnml/diagnostic"},
	"pnml":                     {"pnml/diagnostic", "pnml/xmlscan"},
	"internal/clock":           {},
	"internal/clock/clocktest": {},
	"internal/yaml":            {"pnml/diagnostic"},
	"pnml/unfold":              {"pnml", "internal/clock"},
	"models":                   {"internal/files", "internal/parallel", "pnml", "pnml/diagnostic", "pnml/xmlscan"},
	"models/benchmark":         {"models/task", "pnml/diagnostic", "pnml/xmlscan"},
	"models/task":              {"internal/files", "internal/wording", "internal/yaml", "pnml/diagnostic"},
	"examinations":             {"models", "pnml/diagnostic"},
	"examinations/formula":     {"examinations", "models", "pnml", "pnml/diagnostic", "pnml/xmlscan"},
	"examinations/output":      {"examinations", "models", "pnml/diagnostic"},
	"examinations/verdict":     {"examinations"},
	"examinations/oracle":      {"internal/files", "internal/wording", "examinations", "examinations/output", "models", "pnml/diagnostic"},
	"confidence":               {},
	"scoring":                  {"confidence", "internal/parallel", "examinations", "models"},
	"scoring/explain":          {"confidence", "examinations", "models", "scoring"},
	"scoring/scoringtest":      {"confidence", "examinations", "scoring"},
	"scoring/whatif":           {"confidence", "examinations", "scoring"},
	"vm":                       {},
	"vm/proc":                  {},
	"vm/topology":              {"internal/files", "internal/wording"},
	"vm/sandbox":               {"vm", "vm/proc", "vm/sandbox/maker"},
	"vm/sandbox/maker":         {},
	"vm/energy":                {"internal/programs", "vm"},
	"vm/host":                  {"internal/programs", "internal/wording", "vm", "vm/energy", "vm/sandbox", "vm/topology"},
	"vm/libvirt":               {"internal/files", "internal/programs", "vm", "vm/guest", "vm/guest/image", "vm/proc"},
	"vm/guest":                 {"vm", "vm/sandbox"},
	"vm/guest/image":           {"internal/carried", "internal/files", "internal/programs", "pnml/diagnostic", "vm", "vm/guest", "vm/guest/image/oci"},
	"vm/guest/image/oci":       {},
	"vm/guest/agent":           {"vm/guest"},
	"vm/vmtest":                {"vm"},
	"vm/vmtest/actor":          {"vm/vmtest"},
	"internal/explorer": {"internal/clock", "internal/explorer/check", "internal/explorer/cover", "internal/explorer/packed", "internal/explorer/reduce", "internal/explorer/space", "internal/explorer/state", "internal/explorer/temporal", "internal/explorer/tokens",
		"internal/witness", "internal/witness/replay", "pnml", "pnml/unfold", "examinations", "examinations/formula"},
	"internal/explorer/check":      {"internal/explorer/components", "internal/explorer/memory", "internal/explorer/space", "internal/explorer/state", "internal/explorer/temporal"},
	"internal/explorer/components": {"internal/clock", "internal/explorer/memory"},
	"internal/explorer/cover":      {"internal/clock", "internal/explorer/tokens", "internal/witness", "pnml"},
	"internal/explorer/diagram":    {"internal/clock", "internal/parallel", "internal/explorer/state", "internal/explorer/temporal", "internal/witness", "pnml", "pnml/unfold", "examinations", "examinations/formula"},
	"internal/explorer/directed":   {"internal/clock", "internal/explorer/reduce", "internal/explorer/state", "internal/explorer/temporal", "internal/explorer/tokens", "internal/witness", "pnml/unfold", "examinations/formula"},
	"internal/explorer/memory":     {},
	"internal/explorer/packed":     {"internal/clock", "internal/explorer/tokens", "pnml"},
	"internal/explorer/simplify":   {"examinations", "examinations/formula", "pnml/diagnostic"},
	"internal/explorer/space":      {"internal/clock", "internal/explorer/memory", "internal/explorer/packed", "internal/explorer/tokens", "internal/parallel", "pnml"},
	"internal/explorer/state":      {"internal/clock", "internal/explorer/cover", "internal/explorer/packed", "internal/explorer/reduce", "internal/explorer/tokens", "pnml", "pnml/unfold", "examinations/formula"},
	"internal/explorer/stubborn":   {"internal/clock", "internal/explorer/components", "internal/explorer/memory", "internal/explorer/state", "internal/explorer/temporal", "internal/explorer/tokens", "pnml", "pnml/unfold", "examinations/formula"},
	"internal/explorer/temporal":   {"internal/clock", "internal/explorer/components", "internal/explorer/memory", "examinations/formula"},
	"internal/explorer/tokens":     {"internal/clock", "pnml"},
	"internal/explorer/reduce":     {"internal/clock", "internal/explorer/tokens", "pnml"},
	"internal/witness":             {"examinations", "pnml", "pnml/diagnostic"},
	"internal/witness/certificate": {"internal/clock", "internal/witness", "pnml", "pnml/unfold", "examinations/formula"},
	"internal/witness/enumeration": {"internal/clock", "internal/witness", "pnml", "pnml/unfold", "examinations", "examinations/formula"},
	"internal/witness/program":     {"internal/yaml", "models/task", "pnml/diagnostic", "pnml/xmlscan"},
	"internal/witness/replay":      {"internal/clock", "internal/witness", "internal/witness/certificate", "internal/witness/enumeration", "pnml", "pnml/unfold", "examinations", "examinations/formula", "pnml/diagnostic"},
	"internal/prover":              {"examinations", "examinations/formula", "internal/clock", "internal/explorer/directed", "internal/explorer/tokens", "internal/witness", "internal/witness/certificate", "pnml", "pnml/unfold"},
	"internal/tools":               {"internal/clock", "internal/files", "internal/yaml", "examinations", "examinations/verdict", "pnml/diagnostic", "vm"},
	"internal/tools/engine":        {"internal/fault", "internal/files", "internal/witness", "internal/witness/replay", "pnml", "pnml/unfold", "examinations", "examinations/formula"},
	"internal/tools/explicit": {"internal/tools/engine", "internal/explorer", "internal/witness", "internal/witness/replay",
		"pnml/unfold", "examinations"},
	"internal/tools/symbolic": {"internal/clock", "internal/explorer/diagram", "internal/tools/engine", "examinations", "examinations/formula"},
	"internal/tools/walk":     {"internal/clock", "internal/explorer", "internal/explorer/directed", "internal/explorer/temporal", "internal/tools/engine", "internal/witness", "internal/witness/replay", "pnml/unfold", "examinations", "examinations/formula"},
	"internal/tools/proof":    {"internal/clock", "internal/explorer/directed", "internal/prover", "internal/tools/engine", "internal/witness", "internal/witness/enumeration", "internal/witness/replay", "examinations", "examinations/formula"},
	"internal/tools/liar":     {"internal/tools/engine", "examinations"},
	"internal/tools/parrot":   {"internal/tools/engine", "models"},
	"internal/tools/reader":   {"internal/tools/engine", "examinations", "models"},
	"internal/registration":   {"internal/files", "internal/yaml", "models", "pnml/diagnostic"},
	"internal/stripped":       {"internal/campaign", "internal/compare", "internal/files", "internal/modelfiles", "internal/planning", "internal/wording", "examinations", "models", "pnml/diagnostic", "vm"},
	"edition":                 {"internal/yaml", "models", "examinations", "examinations/verdict", "confidence", "scoring", "pnml/diagnostic"},
	"internal/results":        {"internal/wording", "edition", "scoring", "scoring/explain", "confidence", "examinations", "examinations/verdict", "models", "models/task", "pnml/diagnostic"},
	"internal/benchexec":      {"internal/campaign", "internal/files", "internal/tools", "internal/wording", "examinations/verdict", "models/benchmark", "models/task", "vm"},
	"internal/campaign":       {"internal/clock", "internal/fault", "internal/files", "internal/parallel", "internal/sentinel", "internal/tools", "internal/witness", "internal/wording", "examinations", "examinations/output", "examinations/verdict", "models", "models/task", "vm", "vm/topology", "pnml/diagnostic"},
	"internal/plots":          {"internal/wording", "scoring"},
	"internal/publish/paths":  {},
	"internal/together":       {"internal/plots", "scoring"},
	"internal/nettest":        {"examinations", "examinations/formula", "internal/witness/enumeration", "pnml", "pnml/unfold"},
	"internal/netpicture":     {"internal/wording", "pnml", "pnml/diagnostic"},
	"internal/compare":        {"internal/ask", "internal/judged", "internal/plots", "internal/publish", "internal/wording", "examinations", "scoring", "pnml/diagnostic"},
	"internal/decisions":      {"internal/files", "internal/campaign", "internal/selection", "internal/wording", "examinations", "examinations/verdict", "scoring", "scoring/whatif", "pnml/diagnostic"},
	"internal/judged": {"internal/ask", "internal/campaign", "internal/decisions", "edition", "internal/files", "internal/registration", "internal/results", "internal/selection", "internal/witness", "internal/witness/program", "internal/wording",
		"scoring", "scoring/explain", "scoring/whatif", "examinations", "examinations/oracle", "examinations/output", "examinations/verdict", "models", "pnml", "vm", "pnml/diagnostic"},
	"internal/publish": {"internal/ask", "internal/campaign", "internal/columns", "internal/decisions", "internal/fault", "internal/files", "internal/judged", "internal/netpicture", "internal/parallel", "internal/plots", "internal/publish/paths", "internal/registration", "internal/sentinel", "internal/together", "internal/witness", "internal/wording", "internal/yaml",
		"confidence", "edition", "scoring", "scoring/explain", "scoring/whatif", "examinations", "examinations/formula", "examinations/oracle", "examinations/output", "models", "pnml", "pnml/diagnostic", "vm"},
	"internal/qualify": {"internal/campaign", "internal/judged", "internal/files", "internal/planning", "internal/publish", "internal/tools", "internal/trial", "internal/wording", "edition", "examinations", "examinations/oracle", "examinations/output", "models",
		"vm", "pnml/diagnostic"},
	"internal/regression": {"internal/campaign", "internal/files", "internal/planning", "internal/publish", "internal/tools", "internal/trial", "internal/wording", "examinations", "examinations/oracle", "models", "pnml/diagnostic"},
	"internal/archive":    {"internal/campaign", "internal/judged", "internal/files", "internal/parallel", "internal/programs", "internal/publish", "internal/wording", "pnml/diagnostic"},
	"internal/columns":    {"internal/wording", "pnml/diagnostic"},
	"internal/drawing":    {"internal/programs", "models", "pnml", "pnml/diagnostic"},
	"internal/referee": {"internal/clock", "internal/explorer", "internal/fault", "internal/parallel", "internal/wording", "internal/explorer/diagram", "internal/explorer/directed", "internal/explorer/simplify", "internal/explorer/stubborn", "internal/explorer/temporal", "internal/files", "internal/prover", "internal/witness", "internal/witness/certificate", "internal/witness/enumeration", "internal/witness/replay", "pnml", "pnml/unfold", "pnml/diagnostic",
		"examinations", "examinations/formula", "examinations/oracle", "models"},
	"internal/planning": {"internal/campaign", "internal/clock", "internal/judged", "internal/explorer/simplify", "internal/files", "internal/modelfiles", "internal/parallel", "internal/tools", "internal/wording",
		"edition", "examinations", "examinations/formula", "models", "models/benchmark", "models/task", "scoring", "pnml/diagnostic"},
	"internal/modelfiles": {"internal/explorer", "internal/explorer/simplify", "internal/explorer/space", "internal/files", "internal/parallel", "pnml", "pnml/unfold", "examinations", "examinations/formula", "models"},
	"internal/trial":      {"internal/campaign", "internal/judged", "internal/explorer", "internal/fault", "internal/files", "internal/tools", "internal/witness/program", "internal/wording", "edition", "examinations", "examinations/formula", "examinations/oracle", "examinations/output", "models", "scoring", "scoring/explain", "vm", "vm/topology", "pnml", "pnml/diagnostic", "pnml/unfold"},
	"internal/placement":  {},
	"internal/forecast": {"internal/campaign", "internal/judged", "internal/placement", "internal/results", "internal/wording", "edition", "examinations", "models", "scoring",
		"vm", "pnml/diagnostic"},
	"internal/cluster":           {"internal/files", "internal/campaign", "internal/forecast", "internal/placement", "internal/programs", "internal/wording", "internal/yaml", "pnml/diagnostic"},
	"internal/cluster/slurmtest": {"internal/programs"},
	"internal/progress":          {"internal/campaign", "internal/forecast", "internal/wording", "examinations", "examinations/output", "pnml/diagnostic", "vm"},
	"internal/serve":             {"internal/campaign", "internal/judged", "internal/fault", "internal/files", "internal/forecast", "internal/progress", "internal/publish", "internal/wording", "examinations", "pnml/diagnostic"},
	"internal/selection":         {"internal/campaign", "examinations/output", "models", "vm", "pnml/diagnostic"},
	"internal/ask/asktest":       {"edition", "examinations", "internal/ask", "scoring"},
	"internal/browsertest":       {},
	"internal/carried":           {"internal/programs"},
	"internal/wasm":              {"internal/ask", "internal/referee", "internal/workbench"},
	"internal/workbench":         {"examinations", "examinations/formula", "examinations/oracle", "examinations/output", "internal/explorer/simplify", "internal/netpicture", "internal/referee", "internal/witness", "models", "pnml", "pnml/diagnostic", "pnml/unfold"},
	"internal/ask":               {"confidence", "edition", "examinations", "internal/plots", "internal/publish/paths", "internal/together", "internal/wording", "pnml/diagnostic", "scoring", "scoring/whatif"},
	"internal/parallel":          {},
	"internal/files":             {"pnml/diagnostic"},
	"internal/fault":             {"internal/files", "internal/parallel", "pnml/diagnostic"},
	"internal/programs":          {},
	"internal/sentinel":          {},
	"internal/wording":           {},
	"internal/arch":              {},
	"internal/realdata":          {},
	"internal/yardstick":         {},
	"internal/mutants":           {},
	"internal/manpages":          {"cmd"},
	"cmd/podium":                 {"cmd"},
}

// confined says which rooms may import a third-party module; a module that is
// not named here is no dependency of the product.
var confined = map[string][]string{
	"github.com/chromedp/cdproto":            {"internal/browsertest"},
	"github.com/chromedp/chromedp":           {"internal/browsertest"},
	"github.com/spf13/cobra":                 {"cmd", "internal/manpages"},
	"github.com/spf13/pflag":                 {"cmd"},
	"github.com/schollz/progressbar/v3":      {"internal/progress"},
	"golang.org/x/term":                      {"cmd", "internal/progress"},
	"libvirt.org/go/libvirt":                 {"vm/libvirt"},
	"go.yaml.in/yaml/v4":                     {"internal/yaml"},
	"gonum.org/v1/plot":                      {"internal/publish"},
	"codeberg.org/go-pdf/fpdf":               {"internal/publish"},
	"gonum.org/v1/gonum":                     {"internal/compare", "internal/forecast", "internal/sentinel", "vm/host"},
	"github.com/go-json-experiment/json":     {"cmd", "internal/campaign"},
	"github.com/google/go-containerregistry": {"vm/guest/image/oci"},
	"github.com/klauspost/compress":          {"internal/archive", "internal/campaign", "internal/publish", "models", "vm/guest/image"},
	"github.com/parquet-go/parquet-go":       {"internal/columns"},
	"github.com/beevik/etree":                {"vm/libvirt"},
	"golang.org/x/crypto":                    {"vm/libvirt"},
	"golang.org/x/sys":                       {"vm/proc", "vm/sandbox", "vm/vmtest", "vm/guest", "vm/libvirt", "internal/campaign", "internal/sentinel"},
}

type pkg struct {
	ImportPath string
	Imports    []string
	Standard   bool
}

// edge is an import that was seen: a room, and a room or module that it imports.
type edge struct{ room, imports string }

// TestImportDirection checks every package of the module, with every set of
// build tags, against the plan, and that the plan allows nothing that no package
// does.
func TestImportDirection(t *testing.T) {
	used := map[edge]bool{}
	for _, tags := range []string{"", "libvirt_dlopen"} {
		for _, p := range packages(t, tags) {
			check(t, p, used)
		}
	}
	for room, allowed := range rooms {
		for _, other := range allowed {
			if !used[edge{room, other}] {
				t.Errorf("%s may import %s and does not: remove it from the plan", room, other)
			}
		}
	}
	for module, allowed := range confined {
		for _, room := range allowed {
			if !used[edge{room, module}] {
				t.Errorf("%s may import %s and does not: remove it from the table and from docs/dependencies.md", room, module)
			}
		}
	}
}

// TestCampaignUnfoldsNothing: who runs tools needs no net in memory; the replay of
// witnesses is handed to it.
func TestCampaignUnfoldsNothing(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "./internal/campaign", "./internal/judged")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for _, room := range []string{"pnml/unfold", "internal/explorer", "internal/witness/replay"} {
		if slices.Contains(strings.Fields(string(out)), module+room) {
			t.Errorf("internal/campaign or internal/judged needs %s", room)
		}
	}
}

// oneWay are calls for which there is one room, and the rooms that may make them nevertheless,
// with the reason.
var oneWay = []struct {
	calls  string // a regular expression of git grep -E
	use    string
	except map[string]string
}{
	{`exec\.Command|os\.StartProcess`, "internal/programs starts programs in an environment that is always the same", map[string]string{
		"internal/programs":          "this is the one",
		"internal/mutants":           "starts go test",
		"internal/cluster/slurmtest": "starts the daemons of a test",
		"vm/vmtest":                  "starts programs in a machine, for tests",
	}},
	{`os\.(CreateTemp|MkdirTemp)`, "files.NewScratch makes what is swept when its process was killed", map[string]string{
		"internal/files":             "this is the one",
		"internal/campaign":          "in the scratch directory of a worker",
		"internal/carried":           "of a build for developers",
		"internal/mutants":           "for developers",
		"internal/cluster/slurmtest": "of a test",
		"vm/vmtest":                  "in a machine, for tests",
		"vm/sandbox":                 "of a machine that is tried for milliseconds; it goes into guests, and imports nothing",
		"vm/host":                    "of probes that end within seconds, and are done beside the store of a user",
	}},
	{`os\.(Open|ReadFile)\(`, "package files opens files that others may have made: Open and Read in a directory of theirs, OpenNamed and ReadNamed for a name that the user gave", map[string]string{
		"internal/files":             "this is the one",
		"cmd":                        "files that the user names, and streams such as /dev/stdin; secrets",
		"examinations/formula":       "a file that the user names, which may be a stream",
		"pnml":                       "a file that the user names, which may be a stream",
		"pnml/diagnostic":            "lists a directory, for the nearest name",
		"models":                     "nets and archives that the user names, after a look at what they are; its own index",
		"models/task":                "lists a directory, for patterns",
		"internal/archive":           "what it has unpacked itself: no links, no pipes, and within its limits",
		"internal/campaign":          "the state of this computer; directories and copies that it has just made",
		"internal/tools":             "podium itself, to copy it",
		"internal/tools/reader":      "as a tool in its machine, the form of an instance",
		"internal/trial":             "results that it has kept in the cache of the user",
		"internal/sentinel":          "the state of this computer",
		"internal/carried":           "what it has just built",
		"internal/realdata":          "data of tests",
		"internal/mutants":           "for developers",
		"internal/cluster/slurmtest": "of a test",
		"vm/guest":                   "in a guest, and the state of its kernel",
		"vm/guest/image":             "files of images and kernels that the user names; archives are read by their own rules",
		"vm/host":                    "the state of this computer",
		"vm/libvirt":                 "the state of this computer, and files that the driver keeps",
		"vm/proc":                    "the state of this computer",
		"vm/topology":                "the state of this computer, and directories that are only locked",
		"vm/sandbox":                 "the state of this computer, and of a machine",
		"vm/vmtest":                  "in a machine, for tests",
	}},
}

// TestOneWay: some things are done in one room, and by no other one without a reason.
func TestOneWay(t *testing.T) {
	for _, way := range oneWay {
		list, err := exec.Command("git", "-C", "../..", "grep", "-lE", way.calls, "--", "*.go", ":!*_test.go").Output()
		if err != nil {
			t.Skip("SKIPPED, the sources are not searched: ", err)
		}
		used := map[string]bool{}
		for file := range strings.FieldsSeq(string(list)) {
			room := path.Dir(file)
			if used[room] = true; way.except[room] == "" {
				t.Errorf("%s calls %s: %s", file, way.calls, way.use)
			}
		}
		for room := range way.except {
			if !used[room] {
				t.Errorf("%s is allowed to call %s, and does not", room, way.calls)
			}
		}
	}
}

func packages(t *testing.T, tags string) []pkg {
	cmd := exec.Command("go", "list", "-tags="+tags, "-json=ImportPath,Imports,Standard", "./...")
	cmd.Dir = "../.."
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=1") // as the driver of virtual machines needs it
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	if len(list) < 5 {
		t.Errorf("only %d packages were seen", len(list))
	}
	return list
}

func check(t *testing.T, p pkg, used map[edge]bool) {
	room := strings.TrimPrefix(p.ImportPath, module)
	allowed, planned := rooms[room]
	for _, imp := range p.Imports {
		inner, ours := strings.CutPrefix(imp, module)
		used[edge{room, inner}] = true
		switch {
		case ours && room == "cmd":
			if inner == "cmd/podium" {
				t.Errorf("%s imports %s", room, inner)
			}
		case ours && !planned:
			t.Errorf("room %s is not in the plan", room)
		case ours && !slices.Contains(allowed, inner):
			t.Errorf("%s must not import %s", room, inner)
		case !ours && strings.Contains(strings.Split(imp, "/")[0], "."):
			used[edge{room, checkThirdParty(t, room, imp)}] = true
		}
	}
	if (room == "confidence" || room == "scoring" || room == "scoring/whatif" || room == "scoring/explain") && slices.ContainsFunc(p.Imports, func(i string) bool {
		return i == "os" || i == "io" || i == "net" || i == "time" || i == "math"
	}) {
		t.Errorf("%s does no I/O, has no clock and no floating point: %v", room, p.Imports)
	}
}

// checkThirdParty returns the module that an import belongs to.
func checkThirdParty(t *testing.T, room, imp string) string {
	for _, third := range slices.Sorted(maps.Keys(confined)) {
		if imp == third || strings.HasPrefix(imp, third+"/") {
			if !slices.Contains(confined[third], room) {
				t.Errorf("%s must not import %s: it is confined to %v", room, imp, confined[third])
			}
			return third
		}
	}
	t.Errorf("%s imports %s, which is not in the table of dependencies", room, imp)
	return ""
}
