package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/judged"
	"podium/internal/publish"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// Check says how an archive is verified.
type Check struct {
	Into      string // directory that it is unpacked to, and left in; empty: a temporary one
	Most      int64  // bytes that it may unpack to; 0: [Budget]
	Signers   string // file of allowed signers (ssh-keygen(1)); empty: no signature is asked for
	Signer    string // one of them; empty: any
	Signature string // file; empty: [SignatureFile]
}

// Verified is what was found.
type Verified struct {
	Name    string   `json:"name"`             // of the campaign
	Root    string   `json:"root_digest"`      // of SHA256SUMS, in hexadecimal
	Signer  string   `json:"signer,omitempty"` // empty without a signature
	Files   int      `json:"files"`
	Bytes   int64    `json:"bytes"`
	Runs    int      `json:"runs"`        // whose outputs were read
	Misread int      `json:"-"`           // of which the outputs say something else than the journals
	Lines   int      `json:"table_lines"` // of tables, that were computed again
	LeftOut []string `json:"left_out"`
	// Unchecked names what was not checked, and says why.
	Unchecked []string `json:"not_checked"`
	// Deviations are the places where journals, tables and archive.json say something
	// else than what is read and computed from outputs and journals.
	Deviations diagnostic.List `json:"-"`
}

// Verify checks an archive: every digest, the signature, the inputs against the
// plan, every output against the journal; and it computes all tables again. What is
// damaged, or is no part of an archive, is a [diagnostic.List].
func Verify(ctx context.Context, archive string, by Check) (v *Verified, err error) {
	if by.Into == "" {
		scratch, err := files.NewScratch("", "verify")
		if err != nil {
			return nil, err
		}
		defer scratch.Close()
		dir := scratch.Path("archive")
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
		return verify(ctx, archive, dir, by)
	}
	files.Sweep(by.Into)
	list, err := os.ReadDir(by.Into)
	if err == nil && len(list) > 0 {
		return nil, diagnostic.List{{File: by.Into, Code: "archive-target", Message: "the directory is not empty", Hint: "name another with --into"}}
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	err = files.Into(by.Into, false, func(dir string) error {
		v, err = verify(ctx, archive, dir, by)
		return err
	})
	return v, err
}

// verify unpacks an archive to an empty directory, and checks it there.
func verify(ctx context.Context, archive, dir string, by Check) (*Verified, error) {
	u, found, err := unpack(ctx, archive, dir, by.Most)
	if err != nil {
		return nil, err
	}
	if len(found) > 0 {
		return nil, found
	}
	root := sha256.Sum256(u.sums)
	v := &Verified{Root: hex.EncodeToString(root[:]), Name: diagnostic.Line(u.facts.Campaign), Files: len(u.files), Bytes: u.bytes, LeftOut: u.facts.LeftOut}
	if err := v.signature(ctx, u.sums, archive, by); err != nil {
		return nil, err
	}
	e := &examination{Verified: v, u: u, dir: dir, archive: archive}
	if err := e.all(ctx); err != nil {
		return nil, e.inArchive(ctx, err)
	}
	return v, nil
}

// signature checks the signature of an archive, if it is asked for.
func (v *Verified) signature(ctx context.Context, sums []byte, archive string, by Check) (err error) {
	file := by.Signature
	if file == "" {
		file = SignatureFile(archive)
	}
	if by.Signers != "" {
		v.Signer, err = signer(ctx, sums, file, by.Signers, by.Signer)
		return err
	}
	if _, err := os.Lstat(file); err == nil {
		v.unchecked("the signature %s: --signers FILE names who may have signed", diagnostic.Line(file))
	}
	return nil
}

func (v *Verified) unchecked(format string, args ...any) {
	v.Unchecked = append(v.Unchecked, diagnostic.Line(fmt.Sprintf(format, args...)))
}

// examination checks an archive that was unpacked.
type examination struct {
	*Verified
	u       *unpacked
	dir     string // that it was unpacked to
	archive string
	layout  *layout
	tools   bool // are in the archive
	judged  *judged.Campaign
}

// inArchive names the file of the archive in an error about one that was unpacked. What is
// wrong with the computer stays what it is.
func (e *examination) inArchive(ctx context.Context, err error) error {
	for _, host := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EIO, syscall.EROFS, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, fs.ErrPermission} {
		if errors.Is(err, host) {
			return err
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	within := func(text string) string {
		return strings.ReplaceAll(text, e.dir+string(filepath.Separator), e.archive+":")
	}
	var list diagnostic.List
	var changed *campaign.ChangedError
	switch {
	case errors.As(err, &list):
		list = slices.Clone(list)
		for i := range list {
			list[i].File, list[i].Message, list[i].Hint = within(list[i].File), within(list[i].Message), within(list[i].Hint)
		}
		return list
	case errors.As(err, &changed):
		return e.refused("%s is not what the plan says: its digest is another one, or files are missing", within(changed.What))
	}
	return e.refused("%s", within(err.Error()))
}

// refused is an error about what the archive holds.
func (e *examination) refused(format string, args ...any) error {
	return diagnostic.List{{File: e.archive, Code: "archive-refused", Message: fmt.Sprintf(format, args...)}}
}

func (e *examination) deviates(file, format string, args ...any) {
	e.Deviations.Add(diagnostic.Diagnostic{File: e.archive + ":" + file, Code: "archive-deviates", Message: fmt.Sprintf(format, args...)})
}

func (e *examination) all(ctx context.Context) error {
	if name := campaignDir + "/campaign.json"; e.u.files[name] == "" {
		return e.refused("%s: it is missing", name)
	}
	c, err := campaign.Open(filepath.Join(e.dir, campaignDir))
	if err != nil {
		return err
	}
	if e.layout, err = layoutOf(c, campaignDir+"/"); err != nil {
		return err
	}
	if err := e.inventory(); err != nil {
		return err
	}
	if err := e.inputs(ctx); err != nil {
		return err
	}
	if e.judged, err = judged.Judge(ctx, c, judged.Options{}); err != nil {
		return err
	}
	for _, d := range e.judged.Log.Damage {
		e.Deviations.Add(diagnostic.Diagnostic{File: strings.ReplaceAll(d.File, e.dir+"/", e.archive+":"), Line: d.Line, Code: d.Code, Message: d.Message})
	}
	for _, l := range e.layout.all() {
		if err := e.outputs(ctx, l); err != nil {
			return err
		}
	}
	e.facts()
	if err := e.tables(ctx); err != nil {
		return err
	}
	if err := e.texts(); err != nil {
		return err
	}
	e.onlySaid()
	return nil
}

// inventory looks what each file is for, and makes the links of tools.
func (e *examination) inventory() error {
	nowhere, found, err := e.u.link(e.dir, e.archive, func(name string) (of, refused string) {
		if !strings.HasPrefix(name, campaignDir+"/") {
			return "", "it is a link, and only tools have links"
		}
		_, of = e.layout.part(name)
		return of, e.layout.refuses(name, e.u.facts.Links[name])
	})
	if err != nil {
		return err
	}
	if len(found) > 0 {
		return found
	}
	if nowhere > 0 {
		e.unchecked("%s of tools: they lead to nothing", wording.Count(nowhere, "link", "links"))
	}
	var strange, single, beside, programs, missing []string
	for _, l := range e.layout.all() {
		if name := l.at + "inputs/README"; e.u.files[name] == "" && slices.ContainsFunc(e.u.order, func(f listed) bool { return strings.HasPrefix(f.path, l.at+"inputs/") }) {
			missing = append(missing, name)
		}
	}
	for _, f := range e.u.order {
		if !strings.HasPrefix(f.path, campaignDir+"/") {
			if !strings.HasPrefix(f.path, resultsDir+"/") && f.path != readmeFile && f.path != factsFile && f.path != crateFile {
				strange = append(strange, f.path)
			}
			continue
		}
		is, _ := e.layout.part(f.path)
		switch is {
		case foreign, derived:
			strange = append(strange, f.path)
		case note:
			if f.sum != copiesSum {
				strange = append(strange, f.path)
			}
		case alone:
			single = append(single, f.path)
		case unneeded:
			beside = append(beside, f.path)
		}
		if is != ofTool && e.u.facts.mode(f.path)&0o111 != 0 {
			programs = append(programs, f.path)
		}
	}
	var empty []string
	for _, name := range e.u.facts.Empty {
		if is, _ := e.layout.part(name); is != ofTool && !e.layout.holds(name) {
			empty = append(empty, name+"/")
		}
	}
	e.list(missing, "it is missing; no command reads it")
	e.list(strange, "no command reads it, and nothing says what it must be")
	e.list(single, "nothing else in the archive says the same")
	if n := len(beside); n > 0 {
		e.unchecked("%s: %s beside the certificate, which are made from it, and were not compared with it", path.Dir(beside[0]), wording.Count(n, "file", "files"))
	}
	e.list(programs, "it may be executed, and nothing says whether it must be")
	e.list(empty, "an empty directory, which no campaign has")
	return e.tails()
}

// tails names the journals and pins that hold more than what is read of them.
func (e *examination) tails() error {
	var torn, longer []string
	for _, f := range e.u.order {
		is, _ := e.layout.part(f.path)
		dir := path.Base(path.Dir(f.path))
		if is != record || dir != "journal" && dir != "pins" {
			continue
		}
		file, err := os.Open(filepath.Join(e.dir, filepath.FromSlash(f.path)))
		if err != nil {
			return err
		}
		end := make([]byte, min(f.size, maxPin))
		_, err = file.ReadAt(end, f.size-int64(len(end)))
		if err = errors.Join(err, file.Close()); err != nil {
			return err
		}
		if dir == "pins" {
			var pin campaign.Pin
			_ = json.Unmarshal(end, &pin) // what is no pin has failed already
			if again, err := json.Marshal(pin); err != nil || string(end) != string(again)+"\n" {
				longer = append(longer, f.path)
			}
		} else if !bytes.HasSuffix(end, []byte("\n")) {
			torn = append(torn, f.path)
		}
	}
	e.list(torn, "what stands behind its last whole record counts for nothing")
	e.list(longer, "it holds more than a pin")
	return nil
}

// maxPin is more than a pin has, in bytes.
const maxPin = 64 << 10

// copiesSum is the digest of the note beside the copies of inputs.
var copiesSum = fmt.Sprintf("%x", sha256.Sum256([]byte(campaign.CopiesText)))

// list names files that were not checked.
func (e *examination) list(names []string, why string) {
	const most = 10
	for _, name := range names[:min(most, len(names))] {
		e.unchecked("%s: %s", diagnostic.Line(name), why)
	}
	if n := len(names) - most; n > 0 {
		e.unchecked("%s like the last one", wording.Count(n, "further file", "further files"))
	}
}

// inputs compares what is there of tools and instances with the plans, and what is said to be
// left out with what is.
func (e *examination) inputs(ctx context.Context) error {
	for name := range e.u.names() {
		is, _ := e.layout.part(name)
		e.tools = e.tools || is == ofTool
	}
	toolsOut := slices.Contains(e.u.facts.LeftOut, partTools)
	for _, l := range e.layout.all() {
		err := l.campaign.CheckInputs(ctx, func(dir string) bool {
			return here(dir) && (!l.isTool(dir) || e.tools || !toolsOut)
		})
		if err != nil {
			return err
		}
	}
	if want := leftOut(e.layout.campaign, toolsOut && !e.tools); !slices.Equal(want, e.u.facts.LeftOut) {
		return e.refused("%s: left_out is %s, and %s is left out", factsFile, shown(e.u.facts.LeftOut), shown(want))
	}
	return nil
}

// outputs reads all outputs of a campaign.
func (e *examination) outputs(ctx context.Context, l *layout) error {
	log := e.judged.Log
	if l != e.layout {
		var err error
		if log, err = l.campaign.Read(ctx); err != nil {
			return err
		}
		e.Deviations = append(e.Deviations, log.Damage...)
	}
	found, err := log.CheckOutputs(ctx)
	if err != nil {
		return err
	}
	if len(found.Damaged) > 0 {
		for i := range found.Damaged {
			found.Damaged[i].Hint = "get the archive once more, or ask whoever made it"
		}
		return found.Damaged
	}
	e.Runs += found.Runs
	e.Misread += len(found.Otherwise)
	e.Deviations = append(e.Deviations, misread(found, e.archive+":"+strings.TrimSuffix(l.at, "/"))...)
	if found.Elsewhere > 0 {
		e.unchecked("answers of %s: the journal has them from elsewhere, without outputs", wording.Count(found.Elsewhere, "run", "runs"))
	}
	if found.Unnamed > 0 {
		e.unchecked("%d bytes of %spacks: no run names them", found.Unnamed, l.at)
	}
	return nil
}

// misread says which answers of journals the outputs do not say.
func misread(found *campaign.Outputs, where string) (list diagnostic.List) {
	for i := range found.Otherwise {
		c := &found.Otherwise[i]
		list.Add(diagnostic.Diagnostic{File: where, Code: "archive-answers", Message: fmt.Sprintf("%s: the output says something else than the journal (journal -> output): %s", c.Before.Run, strings.Join(c.Lines(), "; ")),
			Hint: fmt.Sprintf("podium %s has read it for the journal; if that was an earlier version, its reader may have been another", diagnostic.Line(c.Before.Reader()))})
	}
	return list
}

// facts compares archive.json with the campaign.
func (e *examination) facts() {
	of := factsOf(e.judged, false)
	of.LeftOut = e.u.facts.LeftOut // was compared with what is there
	for _, text := range e.u.facts.unlike(of) {
		e.deviates(factsFile, "%s", text)
	}
}

// tables computes all tables again, outside of the archive, and compares them.
func (e *examination) tables(ctx context.Context) error {
	scratch, err := files.NewScratch("", "tables")
	if err != nil {
		return err
	}
	defer scratch.Close()
	again := scratch.Dir
	if err := publish.WriteTables(ctx, filepath.Join(again, resultsDir), publish.Of(e.judged)); err != nil {
		return err
	}
	computed := map[string]bool{}
	err = filepath.WalkDir(filepath.Join(again, resultsDir), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, relErr := filepath.Rel(again, path)
			computed[filepath.ToSlash(name)], err = true, relErr
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, f := range e.u.order {
		if !strings.HasPrefix(f.path, resultsDir+"/") {
			continue
		}
		if !computed[f.path] {
			return e.refused("%s: it is none of the tables that podium archive writes of this contest", f.path)
		}
		delete(computed, f.path)
		if err := e.table(f.path, again); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(computed)) {
		e.deviates(name, "the table is missing")
	}
	return nil
}

// onlySaid names what the journals and decisions alone say.
func (e *examination) onlySaid() {
	if n := e.judged.Decided; n != nil && len(n.Decisions) > 0 {
		e.unchecked("who took the %s, and why: their files alone say it", wording.Count(len(n.Decisions), "decision", "decisions"))
	}
	if e.u.files[campaignDir+"/certified/certificate.jsonl"] != "" {
		e.unchecked("%s/certified: what is proved was not proved again; podium prove --again does that on the campaign", campaignDir)
	}
	if e.judged.Campaign.Plan.Witnesses {
		e.unchecked("what replays of witnesses have shown: they were not replayed again")
	}
	if e.tools {
		e.unchecked("empty directories of tools, and who may read and write their files: no digest of the plan speaks of them")
	}
	e.unchecked("times, memory, hosts and ends of the runs, and how many findings their outputs have: the journals alone say them")
}
