package oci

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// Digest names bytes by their SHA-256, as "sha256:" and 64 lower-case
// hexadecimal digits.
type Digest string

const digestPrefix = "sha256:"

// ParseDigest checks that s is a digest.
func ParseDigest(s string) (Digest, error) {
	hexed, ok := strings.CutPrefix(s, digestPrefix)
	if !ok || len(hexed) != sha256.Size*2 || strings.Trim(hexed, "0123456789abcdef") != "" {
		return "", api.Errorf(api.ImageInvalid, "digest %.100q is not of the form sha256: and 64 hexadecimal digits", s)
	}
	return Digest(s), nil
}

// DigestOf returns the digest of data.
func DigestOf(data []byte) Digest {
	sum := sha256.Sum256(data)
	return Digest(digestPrefix + hex.EncodeToString(sum[:]))
}

// Hex returns the digits without the prefix.
func (d Digest) Hex() string { return strings.TrimPrefix(string(d), digestPrefix) }

func sumDigest(h hash.Hash) Digest {
	return Digest(digestPrefix + hex.EncodeToString(h.Sum(nil)))
}

// verifier passes bytes through and, at their end, compares their digest and,
// unless it is negative, their size with what was promised. More bytes than
// promised end the reading at once.
type verifier struct {
	r    io.Reader
	hash hash.Hash
	what string // for the message
	want Digest
	size int64
	n    int64
}

func verify(r io.Reader, what string, want Digest, size int64) *verifier {
	return &verifier{r: r, hash: sha256.New(), what: what, want: want, size: size}
}

func (v *verifier) Read(p []byte) (int, error) {
	n, err := v.r.Read(p)
	v.hash.Write(p[:n])
	v.n += int64(n)
	if v.size >= 0 && v.n > v.size {
		return 0, api.Errorf(api.ImageInvalid, "%s %s is larger than the %d bytes that its manifest says", v.what, v.want, v.size)
	}
	if err != io.EOF {
		return n, err
	}
	return n, v.check()
}

func (v *verifier) check() error {
	if v.size >= 0 && v.n != v.size {
		return api.Errorf(api.ImageInvalid, "%s %s has %d bytes, and its manifest says %d", v.what, v.want, v.n, v.size)
	}
	if got := sumDigest(v.hash); got != v.want {
		return api.Errorf(api.ImageInvalid, "%s %s is damaged: its bytes have the digest %s", v.what, v.want, got)
	}
	return io.EOF
}
