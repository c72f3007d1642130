package cmd

import (
	"strings"
	"testing"
)

// TestFormerCommandNames: commands that were renamed go on working under their earlier names, also in
// help and completion.
func TestFormerCommandNames(t *testing.T) {
	for was, is := range map[string]string{
		"ship c --shards 2":                "shard make c --shards 2",
		"merge c a b":                      "shard merge c a b",
		"package":                          "teams",
		"certify M -x OneSafe":             "prove M -x OneSafe",
		"replay w --model M":               "check witness w --model M",
		"check edition":                    "edition list",
		"check edition --json":             "edition list --json",
		"check edition --show mcc2016":     "edition show mcc2016",
		"check edition mcc2016 --show":     "edition show mcc2016",
		"check edition -q a.yaml":          "edition check -q a.yaml",
		"reread c --take":                  "logs --reread c --take",
		"help reread":                      "help logs",
		"help certify":                     "help prove",
		"__complete merge c":               "__complete shard merge c",
		"check model certify":              "check model certify",
		"logs merge":                       "logs merge",
		"completion bash":                  "completion bash",
		"help":                             "help",
		"check":                            "check",
		"__completeNoDesc check edition a": "__completeNoDesc edition check a",
	} {
		if got := strings.Join(currentNames(strings.Fields(was)), " "); got != is {
			t.Errorf("%s: %s, not %s", was, got, is)
		}
	}
	for _, r := range renamed {
		is, _, _ := strings.Cut(r.is, " --")
		if cmd, _, err := Commands().Find(strings.Fields(is)); err != nil || cmd.CommandPath() != "podium "+is {
			t.Errorf("%s is no command: %v", r.is, err)
		}
	}
}
