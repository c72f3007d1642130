//go:build linux

package image

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// file is a regular file of a layer.
func file(name, content string) tar.Header {
	return tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, PAXRecords: map[string]string{"TEST.content": content}}
}

// layerOf makes a layer; files have the content of their record.
func layerOf(t testing.TB, headers ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		content := h.PAXRecords["TEST.content"]
		h.PAXRecords, h.Size = nil, int64(len(content))
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func digestOf(b []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(b)) }

// container describes an image for a test.
type container struct {
	os, arch string
	env      []string
	layers   [][]byte
}

func (c container) config(t testing.TB) []byte {
	var diffs []string
	for _, l := range c.layers {
		diffs = append(diffs, digestOf(l))
	}
	text, err := json.Marshal(map[string]any{"os": c.os, "architecture": c.arch, "config": map[string]any{"Env": c.env}, "rootfs": map[string]any{"type": "layers", "diff_ids": diffs}})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// docker writes the form of `docker save`; change may spoil a part.
func (c container) docker(t testing.TB, change func(parts map[string]string)) string {
	config := c.config(t)
	parts := map[string]string{}
	m := struct {
		Config   string
		RepoTags []string
		Layers   []string
	}{strings.TrimPrefix(digestOf(config), "sha256:") + ".json", []string{"mine:1"}, nil}
	parts[m.Config] = string(config)
	for i, l := range c.layers {
		name := fmt.Sprintf("%d/layer.tar", i)
		parts[name] = string(l)
		m.Layers = append(m.Layers, name)
	}
	text, err := json.Marshal([]any{m})
	if err != nil {
		t.Fatal(err)
	}
	parts["manifest.json"] = string(text)
	return writeParts(t, parts, change)
}

// layout writes the form of the Open Container Initiative, with packed layers.
func (c container) layout(t testing.TB, change func(parts map[string]string)) string {
	parts := map[string]string{"oci-layout": `{"imageLayoutVersion":"1.0.0"}`}
	blob := func(b []byte, kind string) map[string]any {
		parts["blobs/"+strings.Replace(digestOf(b), ":", "/", 1)] = string(b)
		return map[string]any{"mediaType": "application/vnd.oci.image." + kind, "digest": digestOf(b), "size": len(b)}
	}
	var layers []any
	for _, l := range c.layers {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write(l); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		layers = append(layers, blob(packed.Bytes(), "layer.v1.tar+gzip"))
	}
	manifest, err := json.Marshal(map[string]any{"schemaVersion": 2, "config": blob(c.config(t), "config.v1+json"), "layers": layers})
	if err != nil {
		t.Fatal(err)
	}
	one := blob(manifest, "manifest.v1+json")
	one["platform"] = map[string]string{"os": c.os, "architecture": c.arch}
	index, err := json.Marshal(map[string]any{"schemaVersion": 2, "manifests": []any{one}})
	if err != nil {
		t.Fatal(err)
	}
	parts["index.json"] = string(index)
	return writeParts(t, parts, change)
}

// writeParts writes an archive; a part "NAME -> TARGET" is a link.
func writeParts(t testing.TB, parts map[string]string, change func(map[string]string)) string {
	if change != nil {
		change(parts)
	}
	var headers []tar.Header
	for name, content := range parts {
		if from, to, ok := strings.Cut(name, " -> "); ok {
			headers = append(headers, tar.Header{Typeflag: tar.TypeSymlink, Name: from, Linkname: to})
			continue
		}
		headers = append(headers, file(name, content))
	}
	path := filepath.Join(t.TempDir(), "image.tar")
	if err := os.WriteFile(path, layerOf(t, headers...), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// shown lists entries with their contents, or where they lead.
func shown(t testing.TB, list []entry) string {
	var all []string
	for _, e := range list {
		switch {
		case e.name == ".":
		case e.mode.IsDir():
			all = append(all, e.name+"/")
		case e.mode&fs.ModeSymlink != 0:
			all = append(all, e.name+"->"+e.link)
		default:
			f, err := e.open()
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(f)
			if err = errors.Join(err, f.Close()); err != nil {
				t.Fatal(err)
			}
			all = append(all, e.name+"="+string(b))
		}
	}
	return strings.Join(all, " ")
}

// TestLayers: what layers put over one another gives, in both forms of an archive.
func TestLayers(t *testing.T) {
	dir := func(name string) tar.Header { return tar.Header{Typeflag: tar.TypeDir, Name: name, Mode: 0o755} }
	link := func(name, to string) tar.Header {
		return tar.Header{Typeflag: tar.TypeSymlink, Name: name, Linkname: to}
	}
	hard := func(name, to string) tar.Header {
		return tar.Header{Typeflag: tar.TypeLink, Name: name, Linkname: to}
	}
	type layer = []tar.Header
	for _, c := range []struct {
		name   string
		layers []layer
		want   string
		err    string
	}{
		{"over one another", []layer{{file("a", "1"), file("d/x", "1")}, {file("a", "2"), file("d/y", "2")}}, "a=2 d/ d/x=1 d/y=2", ""},
		{"whiteout", []layer{{file("a", "1"), file("d/x", "1"), file("d/e/z", "1")}, {file(".wh.a", ""), file("d/.wh.e", "")}}, "d/ d/x=1", ""},
		{"whiteout of nothing", []layer{{file("a", "1")}, {file(".wh.b", "")}}, "a=1", ""},
		{"whiteout and again, in either order", []layer{{file("d/x", "1")}, {file("d/y", "2"), file(".wh.d", "")}}, "d/ d/y=2", ""},
		{"whiteout in the lowest layer", []layer{{file("a", "1"), file(".wh.a", "")}}, "a=1", ""},
		{"opaque", []layer{{file("d/x", "1"), file("d/e/z", "1"), file("o", "1")}, {file("d/n", "2"), file("d/.wh..wh..opq", "")}}, "d/ d/n=2 o=1", ""},
		{"opaque root", []layer{{file("d/x", "1")}, {file(".wh..wh..opq", ""), file("n", "2")}}, "n=2", ""},
		{"what AUFS left", []layer{{file("a", "1"), file(".wh..wh.plnk/12", "x"), file(".wh..wh.aufs", "x"), dir(".wh..wh.orph")}}, "a=1", ""},
		{"file over directory", []layer{{file("d/x", "1")}, {file("d", "2")}}, "d=2", ""},
		{"directory over file", []layer{{file("d", "1")}, {file("d/x", "2"), dir("d")}}, "d/ d/x=2", ""},
		{"through a link", []layer{{dir("usr/bin"), link("bin", "usr/bin")}, {file("bin/x", "2")}}, "bin->usr/bin usr/ usr/bin/ usr/bin/x=2", ""},
		{"whiteout through a link", []layer{{dir("usr/bin"), file("usr/bin/x", "1"), link("bin", "/usr/bin")}, {file("bin/.wh.x", "")}}, "bin->/usr/bin usr/ usr/bin/", ""},
		{"hard link to a layer below", []layer{{file("a", "1")}, {hard("b", "a")}}, "a=1 b=1", ""},
		{"hard link to a link", []layer{{link("a", "x"), hard("b", "a")}}, "a->x b->x", ""},
		{"hidden files", []layer{{file(".a", "1"), file("./.b", "1"), file("/.c", "1")}}, ".a=1 .b=1 .c=1", ""},
		{"devices", []layer{{{Typeflag: tar.TypeChar, Name: "dev/kmem", Mode: 0o666}, {Typeflag: tar.TypeFifo, Name: "f"}, file("a", "1")}}, "a=1", ""},

		{"link out of the tree, then a file there", []layer{{link("etc", "../../../../etc")}, {file("etc/passwd", "2")}}, "", "is below etc, which is no directory"},
		{"absolute link, then a file there", []layer{{link("x", "/o")}, {file("x/f", "2")}}, "o/ o/f=2 x->/o", ""},
		{"links in a circle", []layer{{link("a", "b"), link("b", "a")}, {file("a/x", "2")}}, "", "which is no directory"},
		{"outside", []layer{{file("../x", "1")}}, "", "outside of it"},
		{"outside, by a whiteout", []layer{{file("x", "1")}, {file("d/../../.wh.x", "")}}, "", "outside of it"},
		{"whiteout of the parent", []layer{{file("d/x", "1")}, {file("d/.wh...", "")}}, "", "removes nothing that has a name"},
		{"whiteout without a name", []layer{{file("x", "1")}, {file(".wh.", "")}}, "", "removes nothing that has a name"},
		{"hard link to what is gone", []layer{{file("a", "1")}, {file(".wh.a", ""), hard("b", "a")}}, "", "not in the archive before it"},
		{"hard link to a directory", []layer{{dir("d"), hard("e", "d")}}, "", "not in the archive before it"},
		{"hard link to the host", []layer{{hard("b", "../../etc/passwd")}}, "", "not in the archive before it"},
		{"a root that is a file", []layer{{file("d/x", "1")}, {link(".", "/")}}, "", "no directory"},
	} {
		image := container{os: "linux", arch: "amd64", env: []string{"PATH=/opt/x"}}
		for _, l := range c.layers {
			image.layers = append(image.layers, layerOf(t, l...))
		}
		for form, write := range map[string]func(testing.TB, func(map[string]string)) string{"docker": image.docker, "layout": image.layout} {
			s, env, err := openContainer(write(t, nil))
			if err != nil {
				if c.err == "" || !strings.Contains(err.Error(), c.err) {
					t.Errorf("%s, %s: %v", c.name, form, err)
				}
				continue
			}
			if got := shown(t, s.entries); c.err != "" || got != c.want || strings.Join(env, " ") != "PATH=/opt/x" {
				t.Errorf("%s, %s: %s, not %s%s; %q", c.name, form, got, c.want, c.err, env)
			}
			if err := s.close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestModesOfLayers: bits that give rights are gone, and what another user of the image
// may read the tool may read.
func TestModesOfLayers(t *testing.T) {
	setuid, own, secret := file("su", "x"), file("own", "x"), file("secret", "x")
	setuid.Mode, own.Mode, own.Uid, secret.Mode = 0o4755, 0o700, 1000, 0o600
	image := container{os: "linux", arch: "amd64", layers: [][]byte{layerOf(t, setuid, own, secret)}}
	s, _, err := openContainer(image.docker(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	var got []string
	for _, e := range s.entries {
		got = append(got, fmt.Sprintf("%s %v %d", e.name, e.mode, e.owner))
	}
	if want := "own -rwx---r-x 0, secret -rw------- 0, su -rwxr-xr-x 0"; strings.Join(got, ", ") != want {
		t.Errorf("%s, not %s", strings.Join(got, ", "), want)
	}
}

// TestUnseen: what of a container image runs will miss is said.
func TestUnseen(t *testing.T) {
	var list []entry
	for i := range fewFiles + 1 {
		list = append(list, dataEntry(fmt.Sprintf("root/.sdkman/%d", i), 0o644, nil), dataEntry(fmt.Sprintf("home/mcc/BenchKit/%d", i), 0o644, nil),
			dataEntry(fmt.Sprintf("opt/%d", i), 0o644, nil))
	}
	got := strings.Join(unseen(append(list, dataEntry("home/x/.profile", 0o644, nil)), []string{"PATH=/root/.sdkman:/usr/bin:/root:/home/mcc/BenchKit/bin", "HOME=/rootless"}), "\n")
	if want := "runs do not see the 11 files below /root/: put what the tool needs below /opt or /usr/local\n\"PATH\" names \"/root/.sdkman\", which runs do not see\n\"PATH\" names \"/root\", which runs do not see"; got != want {
		t.Errorf("%s", got)
	}
}

// TestDamagedContainers: what is no image, not for our machines or not what its digests
// say is refused with the next step.
func TestDamagedContainers(t *testing.T) {
	layer := layerOf(t, file("bin/tool", "1"))
	good := container{os: "linux", arch: "amd64", layers: [][]byte{layer}}
	other := good
	other.arch = "arm64"
	spoil := func(prefix, old, new string) func(map[string]string) {
		return func(parts map[string]string) {
			for name, text := range parts {
				if strings.HasPrefix(name, prefix) {
					parts[name] = strings.Replace(text, old, new, 1)
				}
			}
		}
	}
	drop := func(name string) func(map[string]string) {
		return func(parts map[string]string) { delete(parts, name) }
	}
	cases := []struct{ name, path, want string }{
		{"other processor", other.docker(t, nil), "--platform linux/amd64"},
		{"other processor, in an index", other.layout(t, nil), "--platform linux/amd64"},
		{"changed layer", good.docker(t, spoil("0/layer", "bin/tool", "bin/t00l")), "digest"},
		{"changed configuration", good.docker(t, spoil("", `"linux"`, `"Linux"`)), "digest"},
		{"changed blob", good.layout(t, spoil("blobs/", `"schemaVersion"`, `"schemaversion"`)), "digest"},
		{"no layer", good.docker(t, drop("0/layer.tar")), `lacks "0/layer.tar"`},
		{"no layers", container{os: "linux", arch: "amd64"}.docker(t, nil), "no layer"},
		{"links in a circle", good.docker(t, func(parts map[string]string) {
			delete(parts, "0/layer.tar")
			parts["0/layer.tar -> layer.tar"] = ""
		}), "lacks"},
		{"link out of the archive", good.docker(t, func(parts map[string]string) {
			delete(parts, "0/layer.tar")
			parts["0/layer.tar -> ../../../../etc/passwd"] = ""
		}), "lacks"},
		{"two images", good.docker(t, func(parts map[string]string) {
			text := parts["manifest.json"]
			parts["manifest.json"] = text[:len(text)-1] + "," + text[1:]
		}), `2 images, and one is needed: save one of ["mine:1" "mine:1"]`},
		{"no digest of a blob", good.layout(t, spoil("index.json", "sha256:", "sha256:0")), "hex digits"},
		{"unknown digest", good.layout(t, spoil("index.json", "sha256:", "md5:")), "unsupported hash"},
		{"damaged manifest", good.docker(t, spoil("manifest.json", "[", "(")), "manifest.json"},
		{"file system of a container", writeParts(t, map[string]string{"bin/sh": "x"}, nil), "docker export"},
		{"another archive", writeParts(t, map[string]string{"x": "x"}, nil), "docker save"},
		{"no archive", filepath.Join("testdata", "missing"), "no such file"},
	}
	t.Setenv("TMPDIR", t.TempDir())
	for _, c := range cases {
		s, _, err := openContainer(c.path)
		if err == nil {
			t.Errorf("%s: is taken: %s", c.name, shown(t, s.entries))
			s.close()
		} else if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("%v stays, %v", left, err)
	}
}

// TestPlatforms: of an image for several processors the one for ours is taken, also where
// the others are not in the archive.
func TestPlatforms(t *testing.T) {
	image := container{os: "linux", arch: "amd64", layers: [][]byte{layerOf(t, file("a", "1"))}}
	elsewhere := "sha256:" + strings.Repeat("0", 64)
	nest := func(levels int) string {
		return image.layout(t, func(parts map[string]string) {
			for range levels {
				inner := parts["index.json"]
				if inner[0] == '{' && levels > 0 && !strings.Contains(inner, "attestation") {
					inner = strings.Replace(inner, `"manifests":[`, `"manifests":[`+
						`{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"`+elsewhere+`","size":9,"platform":{"os":"linux","architecture":"arm64"}},`+
						`{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"`+strings.Replace(elsewhere, "00", "11", 1)+`","size":9,"platform":{"os":"unknown","architecture":"unknown"},"annotations":{"vnd.docker.reference.type":"attestation-manifest"}},`, 1)
				}
				parts["blobs/"+strings.Replace(digestOf([]byte(inner)), ":", "/", 1)] = inner
				parts["index.json"] = fmt.Sprintf(`{"schemaVersion":2,"manifests":[{"mediaType":"application/vnd.oci.image.index.v1+json","digest":%q,"size":%d}]}`, digestOf([]byte(inner)), len(inner))
			}
		})
	}
	s, _, err := openContainer(nest(1))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if got := shown(t, s.entries); got != "a=1" {
		t.Error(got)
	}
	if s, _, err := openContainer(nest(10)); err == nil || !strings.Contains(err.Error(), "too many levels") {
		t.Errorf("ten indexes, one in the other: %v, %v", s, err)
	}
}

// TestLayersTogether: the limit holds for all layers together, unpacked.
func TestLayersTogether(t *testing.T) {
	var packed, out bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(make([]byte, 1<<20)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	for limit, ok := range map[int64]bool{1 << 20: true, 1<<20 - 1: false} {
		out.Reset()
		if err := unpackArchive(&out, bytes.NewReader(packed.Bytes()), limit); (err == nil) != ok || int64(out.Len()) > limit {
			t.Errorf("limit %d: %d bytes, %v", limit, out.Len(), err)
		}
	}
}

// TestContainersOfRealTools: buildah, umoci and skopeo write the same files in each form.
func TestContainersOfRealTools(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED, no image is made: buildah mounts a container as root only")
	}
	for _, program := range []string{"buildah", "umoci", "skopeo"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("SKIPPED, no image is made: ", err)
		}
	}
	dir := t.TempDir()
	run := func(program string, args ...string) string {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v: %s", program, args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	writeTree(t, dir, map[string]string{"policy.json": `{"default":[{"type":"insecureAcceptAnything"}]}`,
		"one/opt/lib/a": "1", "one/opt/lib/b": "1", "one/opt/gone/c": "1", "two/opt/lib/a": "22", "two/opt/new/d": "2"})
	const want = "opt/ opt/lib/ opt/lib/a=22 opt/lib/b=1 opt/new/ opt/new/d=2"

	// umoci puts a layer for each unpacked state of the files.
	run("umoci", "init", "--layout", "u")
	run("umoci", "new", "--image", "u:x")
	run("umoci", "unpack", "--rootless", "--image", "u:x", "bundle")
	for _, state := range []string{"one", "two"} {
		run("cp", "-r", state+"/opt", "bundle/rootfs/")
		if state == "two" {
			run("rm", "-r", "bundle/rootfs/opt/gone")
		}
		run("umoci", "repack", "--refresh-bundle", "--image", "u:x", "bundle")
	}
	run("umoci", "config", "--image", "u:x", "--config.env", "JAVA_HOME=/opt/java")
	for _, form := range []string{"docker-archive", "oci-archive"} {
		run("skopeo", "--policy", "policy.json", "copy", "oci:u:x", form+":"+form+".tar")
	}
	run("gzip", "-k", "oci-archive.tar")

	// buildah has a store of its own here.
	store := []string{"--root", dir + "/store", "--runroot", dir + "/run", "--storage-driver", "vfs"}
	buildah := func(args ...string) string { return run("buildah", append(store[:len(store):len(store)], args...)...) }
	name := buildah("from", "scratch")
	buildah("copy", name, "one/opt", "/opt")
	buildah("config", "--env", "JAVA_HOME=/opt/java", name)
	buildah("commit", "--signature-policy", "policy.json", name, "first")
	name = buildah("from", "--signature-policy", "policy.json", "first")
	buildah("copy", name, "two/opt", "/opt")
	mount := buildah("mount", name)
	run("rm", "-r", mount+"/opt/gone")
	for _, form := range []string{"docker-archive", "oci-archive"} {
		buildah("commit", "--signature-policy", "policy.json", name, form+":"+dir+"/buildah-"+form+".tar")
	}
	for _, archive := range []string{"docker-archive.tar", "oci-archive.tar", "oci-archive.tar.gz", "buildah-docker-archive.tar", "buildah-oci-archive.tar"} {
		s, env, err := openContainer(filepath.Join(dir, archive))
		if err != nil {
			t.Errorf("%s: %v", archive, err)
			continue
		}
		if got := shown(t, s.entries); got != want || !strings.Contains(strings.Join(env, " "), "JAVA_HOME=/opt/java") {
			t.Errorf("%s: %s, not %s; %q", archive, got, want, env)
		}
		if err := s.close(); err != nil {
			t.Error(err)
		}
	}
}

// TestTreeListing: what an image of somebody else may not hold is found before it is
// unpacked.
func TestTreeListing(t *testing.T) {
	const line = " 0/0                       3 2026-11-23 14:14 "
	for list, want := range map[string]string{
		"drwxr-xr-x" + line + "\n-rw-r--r--" + line + "/a b\nlrwxrwxrwx" + line + "/l -> ../../etc\n": "",
		"crw-r--r-- 0/0 1,  3 2026-11-23 14:14 /dev/null\n":                                           "no file, directory or symbolic link",
		"prw-r--r--" + line + "/p\n":                                                                  "no file, directory or symbolic link",
		"-rw-r--r--" + line + "/../x\n":                                                               "outside",
		"-rw-r--r-- 0/0 99999999999999 2026-11-23 14:14 /x\n":                                         "bytes",
		"-rw-r--r-- 0/0 -1 2026-11-23 14:14 /x\n":                                                     "bytes",
		"rest of a name\n": "no line of its list",
	} {
		if err := checkLines(strings.NewReader(list)); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", list, err)
		}
	}
}

// FuzzArchive: whatever the archive around the layers is, it is read or refused.
func FuzzArchive(f *testing.F) {
	image := container{os: "linux", arch: "amd64", layers: [][]byte{layerOf(f, file("a", "1"))}}
	for _, path := range []string{image.docker(f, nil), image.layout(f, nil)} {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, archive []byte) {
		path := filepath.Join(t.TempDir(), "image.tar")
		if err := os.WriteFile(path, archive, 0o644); err != nil {
			t.Fatal(err)
		}
		s, env, err := openContainer(path)
		if err != nil {
			return
		}
		defer s.close()
		if checkEnvironment(env) != nil {
			t.Errorf("%q", env)
		}
		for _, e := range s.entries {
			if !filepath.IsLocal(e.name) {
				t.Errorf("%q", e.name)
			}
		}
	})
}

// FuzzContainer: an archive of anything is read or refused, and what is read has names
// inside of the image.
func FuzzContainer(f *testing.F) {
	for _, headers := range [][]tar.Header{
		{file("a", "1"), file("d/.wh.x", ""), file("d/.wh..wh..opq", "")},
		{{Typeflag: tar.TypeSymlink, Name: "x", Linkname: "../.."}, file("x/y", "2"), {Typeflag: tar.TypeLink, Name: "z", Linkname: "x/y"}},
	} {
		f.Add(layerOf(f, headers...), true)
		f.Add(layerOf(f, headers...), false)
	}
	f.Fuzz(func(t *testing.T, layer []byte, docker bool) {
		image := container{os: "linux", arch: "amd64", layers: [][]byte{layerOf(t, file("x/y", "1")), layer}}
		write := image.layout
		if docker {
			write = image.docker
		}
		s, _, err := openContainer(write(t, nil))
		if err != nil {
			return
		}
		defer s.close()
		for _, e := range s.entries {
			if !filepath.IsLocal(e.name) || strings.Contains("/"+e.name, "/.wh.") || e.mode&(fs.ModeSetuid|fs.ModeDevice|fs.ModeNamedPipe) != 0 {
				t.Errorf("%q %v", e.name, e.mode)
			}
		}
	})
}
