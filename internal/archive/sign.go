package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"podium/pnml/diagnostic"
)

// namespace is what a signature is for, so that none made for another purpose is
// taken (ssh-keygen(1), -Y sign).
const namespace = "podium-archive"

// SignatureFile is where the signature of an archive is.
func SignatureFile(archive string) string { return archive + ".sig" }

// Sign signs SHA256SUMS with the ssh key in a file, by ssh-keygen, and gives the
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

// signer checks a signature of SHA256SUMS, and gives who signed: the one who is
// named, or whoever of the allowed signers it is.
func signer(ctx context.Context, sums []byte, signature, allowed, who string) (string, error) {
	for _, file := range []struct{ name, hint string }{{allowed, "--signers names a file with a line for each signer: NAME KEYTYPE KEY"}, {signature, "--signature names the file; an archive that was not signed has none"}} {
		if _, err := os.Stat(file.name); err != nil {
			return "", diagnostic.List{{File: file.name, Code: "archive-signer-file", Message: "there is no such file", Hint: file.hint}}
		}
	}
	if who == "" {
		found, err := keygen(ctx, nil, "-Y", "find-principals", "-s", signature, "-f", allowed)
		if err != nil {
			return "", diagnostic.List{{File: signature, Code: "archive-signer", Message: "none of the signers in " + allowed + " made this signature",
				Hint: "ask the organisers for their public key by another way than the archive"}}
		}
		who, _, _ = strings.Cut(strings.TrimSpace(string(found)), "\n")
	}
	if _, err := keygen(ctx, sums, "-Y", "verify", "-n", namespace, "-s", signature, "-f", allowed, "-I", who); err != nil {
		return "", diagnostic.List{{File: signature, Code: "archive-signature", Message: fmt.Sprintf("this is no signature of this archive by %s (%v)", who, err)}}
	}
	return who, nil
}

// keygen calls ssh-keygen.
func keygen(ctx context.Context, in []byte, args ...string) ([]byte, error) {
	var said, out bytes.Buffer
	cmd := exec.CommandContext(ctx, "ssh-keygen", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &said
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("signatures need the program ssh-keygen, of the package openssh-client")
	case err != nil:
		text := strings.Join(strings.Fields(said.String()+out.String()), " ")
		return nil, fmt.Errorf("%s: %s", filepath.Base(cmd.Path), diagnostic.Excerpt(text))
	}
	return out.Bytes(), nil
}
