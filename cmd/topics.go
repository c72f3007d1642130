package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"podium/internal/wording"
)

// An entry is a word of podium and what it means, in one sentence.
type entry struct{ word, text string }

// exitTexts are the exit codes in words, with what `podium help exit-codes` says more.
var exitTexts = []struct {
	code       int
	text, more string
}{
	{ExitDone, "done", "a wrong answer of a tool is no failure of podium"},
	{ExitInternal, "internal failure", "podium itself went wrong"},
	{ExitUsage, "usage", "the command line is wrong, and the message says what to type"},
	{ExitIncomplete, "finished, but runs are void or missing, or a check found errors", "all that could be done is done"},
	{ExitInvalid, "invalid input", "a file cannot be read, or says something that cannot be"},
	{ExitHost, "the host cannot do what was asked", "`podium doctor` says why"},
	{ExitBusy, "the campaign is busy or was made from other inputs", "nothing was changed"},
	{ExitInterrupted, "interrupted and resumable", "the same command goes on"},
}

// exitCodes is what the help of commands says that give exit codes no meaning of their own.
func exitCodes() string {
	var list []string
	for _, c := range exitTexts {
		list = append(list, fmt.Sprintf("%d %s", c.code, c.text))
	}
	return "Exit codes: " + strings.Join(list, ", ") + "."
}

// rules are the rules of the contest that podium names, as those of 2016 number them.
var rules = []entry{
	{"M-2", "A model comes with a description of what it is and where it comes from."},
	{"M-3", "Models are in the public domain, and their authors let the organisers use and publish them."},
	{"M-4", "A model that is improper, such as an invalid PNML file or an incomplete form, is corrected or rejected."},
	{"M-6", "Which models were selected stays secret until all tools have been submitted."},
	{"M-7", "When the contest starts, the selected models and the names of their authors are published."},
	{"T-3", "Models are PNML files, which tools read; for surprise models there is no other form."},
	{"T-4", "A tool may take part in some models and some examinations only."},
	{"T-5", "Tools compute what they answer: results from before the contest are not allowed."},
	{"T-7", "Participants let the organisers publish their results."},
	{"E-1.1", "There are five categories of examinations: StateSpace, UpperBounds, Reachability, CTL and LTL."},
	{"E-1.2", "StateSpace asks for the numbers of states and of transitions, and for the most tokens in a marking and in a place."},
	{"E-1.3", "UpperBounds asks for the exact bounds of places, 16 in each instance."},
	{"E-1.4", "Reachability asks whether there is a deadlock, and whether formulas on reachable markings hold."},
	{"E-1.5", "CTL asks whether formulas of CTL hold, 16 in each file."},
	{"E-1.6", "LTL asks whether formulas of LTL hold, 16 in each file."},
	{"E-1.7", "Answers use the words of the manual; where none is well-formed, the tool could not compute anything."},
	{"E-1.8", "The XML form of a formula is the reference; its text is for people."},
	{"E-2.1", "The confidence of a tool is a number from 0 to 1: how often it finds what is commonly agreed on."},
	{"E-2.2", "Confidence counts only the consistent values V, on which a majority and at least three tools agree."},
	{"E-3.1", "The reference value is elected: a majority of the tools, each weighted by its confidence."},
	{"E-3.2", "The reference of intervals is the set of numbers on which most tools agree; for information only."},
	{"E-4.1", "An examination is worth 16 points; a wrong value costs twice its points, and the fastest and the leanest run have a bonus of 4 each."},
	{"E-4.2", "A value that equals its reference earns its points, and one that is missing earns none."},
	{"E-4.3", "Points need a right value, wrong values cost a penalty, and a bonus needs half of the values and no wrong one."},
	{"E-4.4", "Points count once on known models, three times on stripped ones and five times on surprise ones."},
	{"E-4.5", "Tools are ranked in each category by their sum, and only the best variant of a tool is on the podium."},
	{"E-5.1", "Each run has a fresh machine and one hour of CPU time, and all runs of a model are done on one computer."},
	{"E-5.2", "A sequential tool has 1 core and 16 GB of memory."},
	{"E-5.3", "A concurrent tool has 4 cores and 16 GB of memory."},
	{"P-4", "A tool may resign at any moment and is then removed from the record."},
}

// environment are the variables that podium reads.
var environment = []entry{
	{showVariable, "Paths of this host, separated by colons, that runs in the sandbox see beside the usual ones."},
	{locksVariable, "A directory in which the cores of runs are locked instead of the kernel's, or off: other processes may use them then."},
	{"XDG_CACHE_HOME", "Where images, kernels and earlier runs of `podium try` are kept, in podium; without it $HOME/.cache. `podium cache --empty` removes them."},
	{"XDG_RUNTIME_DIR", "Where virtual machines of this user have their sockets."},
	{"TMPDIR", "Where temporary files are; without it /tmp."},
	{"GOMAXPROCS", "The most cores that podium itself uses for its own work; runs have cores of their own."},
	{"PATH, HOME", "Where other programs are, such as qemu-img and dot. These get few variables, and no locale."},
	{"SLURM_CONF, SLURM_JWT", "How the programs of Slurm find their cluster, for `podium cluster`."},
	{"SSH_AUTH_SOCK", "The agent that has the key, for `podium archive --sign`."},
	{"LIBVIRT_LOG_OUTPUTS", "Where libvirt writes what it logs; without it nowhere."},
	{"BK_EXAMINATION", "The examination that `podium tool run` answers, with BK_TIME_CONFINEMENT and the other variables of the contest."},
}

// topics are what help explains beside commands.
func topics() []*cobra.Command {
	var exits []entry
	for _, c := range exitTexts {
		exits = append(exits, entry{fmt.Sprint(c.code), c.text + ": " + c.more})
	}
	topic := func(name, short, long string, list []entry) *cobra.Command {
		for _, e := range list {
			long += "\n" + wording.Fold("  "+e.word+": "+e.text, helpWidth)
		}
		return &cobra.Command{Use: name, Short: short, Long: long}
	}
	return []*cobra.Command{
		topic("exit-codes", "What the exit codes of commands mean", "Every command has the same exit codes. The help of some says more precisely what they mean there.\n", exits),
		topic("rules", "The rules of the contest that are named", "The rules of the Model Checking Contest of 2016, as podium numbers them. Later editions change numbers\nin them: `podium edition show ID` prints those of an edition.\n", rules),
		topic("environment", "The environment variables that podium reads", "Podium has flags for nearly everything, and reads few environment variables:\n", environment),
	}
}
