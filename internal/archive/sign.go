package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"podium/internal/files"
	"podium/internal/programs"
	"podium/pnml/diagnostic"
)

// namespace is what a signature is for, so that none made for another purpose is
// taken (ssh-keygen(1), -Y sign).
const namespace = "podium-archive"

// SignatureFile is where the signature of an archive is.
func SignatureFile(archive string) string { return archive + ".sig" }

// Sign signs SHA256SUMS with the ssh key in a file, by ssh-keygen, and returns the
// signature. A key in an agent is named by its public half.
func Sign(ctx context.Context, sums []byte, key string) ([]byte, error) {
	if _, err := os.Stat(key); err != nil {
		return nil, err
	}
	signature, err := keygen(ctx, sums, "-Y", "sign", "-n", namespace, "-f", key)
	if err != nil {
		return nil, fmt.Errorf("the archive is not signed: %w", err)
	}
	return signature, nil
}

// maxSignature bounds a signature, in bytes.
const maxSignature = 64 << 10

// signer checks a signature of SHA256SUMS, and returns who signed: the one who is
// named, or whoever of the allowed signers it is.
func signer(ctx context.Context, sums []byte, signature, allowed, who string) (string, error) {
	for _, file := range []struct{ name, hint string }{{allowed, "--signers names a file with a line for each signer: NAME KEYTYPE KEY"}, {signature, "--signature names the file; an archive that was not signed has none"}} {
		if _, err := os.Stat(file.name); err != nil {
			return "", diagnostic.List{{File: file.name, Code: "archive-signer-file", Message: "there is no such file", Hint: file.hint}}
		}
	}
	f, err := files.OpenNamed(signature)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() > maxSignature {
		return "", errors.Join(err, diagnostic.List{{File: signature, Code: "archive-signature", Message: fmt.Sprintf("the file is no signature: it has more than %d bytes", maxSignature)}})
	}
	names := []string{who}
	if who == "" {
		found, err := keygen(ctx, nil, "-Y", "find-principals", "-s", signature, "-f", allowed)
		switch {
		case errors.Is(err, ErrNoKeygen) || ctx.Err() != nil:
			return "", err
		case err != nil:
			return "", diagnostic.List{{File: signature, Code: "archive-signer", Message: fmt.Sprintf("none of the signers in %s made this signature (%v)", allowed, err),
				Hint: "ask the organisers for their public key by another way than the archive"}}
		}
		if names = signerNames(string(found)); len(names) == 0 {
			return "", diagnostic.List{{File: allowed, Code: "archive-signer", Message: "the key of the signature is there, but for patterns and no name: " + diagnostic.Line(diagnostic.Cut(string(found))),
				Hint: "--signer NAME says who of them is to have signed"}}
		}
	}
	for _, name := range names {
		_, err = keygen(ctx, sums, "-Y", "verify", "-n", namespace, "-s", signature, "-f", allowed, "-I", name)
		if err == nil || errors.Is(err, ErrNoKeygen) || ctx.Err() != nil {
			return diagnostic.Line(name), err
		}
	}
	return "", diagnostic.List{{File: signature, Code: "archive-signature", Message: fmt.Sprintf("this is no signature of this archive by %s (%v)", diagnostic.Line(strings.Join(names, " or ")), err)}}
}

// signerNames returns the names in what ssh-keygen has found: a list of patterns in each line,
// of which those are names that have no sign of a pattern.
func signerNames(found string) (names []string) {
	for line := range strings.Lines(found) {
		for name := range strings.SplitSeq(strings.Trim(strings.TrimSpace(line), `"`), ",") {
			if IsName(name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// IsName reports whether a text is the name of a signer, and no pattern for names.
func IsName(text string) bool {
	return text != "" && !strings.ContainsAny(text, "*?!,") && !strings.HasPrefix(text, "-") && diagnostic.Line(text) == text
}

// ErrNoKeygen says that this computer has not the program that makes and checks signatures.
var ErrNoKeygen = errors.New("signatures need the program ssh-keygen, of the package openssh-client")

// keygen calls ssh-keygen.
func keygen(ctx context.Context, in []byte, args ...string) ([]byte, error) {
	var said, out bytes.Buffer
	cmd := programs.Command(ctx, "ssh-keygen", args...)
	cmd.Env = programs.Environment("SSH_*", "DISPLAY", "WAYLAND_DISPLAY", "TERM") // of agents, and of who asks for passphrases
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &said
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, ErrNoKeygen
	case err != nil:
		text := strings.Join(strings.Fields(said.String()+out.String()), " ")
		return nil, fmt.Errorf("%s: %s", filepath.Base(cmd.Path), diagnostic.Excerpt(text))
	}
	return out.Bytes(), nil
}
