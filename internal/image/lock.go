package image

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/internal/oci"
)

// lockVersion is the version of the lock's format.
const lockVersion = 1

// Lock is everything that a spec resolved to. It is kept as indented JSON, and
// the digest of those bytes names the image.
type Lock struct {
	Version        int             `json:"version"`
	Spec           Spec            `json:"spec"`
	Base           Base            `json:"base"`
	Bases          []Base          `json:"bases,omitempty"`  // further images that a Dockerfile takes files from
	Python         string          `json:"python,omitempty"` // the version that runs, such as 3.12
	Packages       []Package       `json:"packages,omitempty"`
	SystemPackages []SystemPackage `json:"system_packages,omitempty"`
	Steps          []LockedStep    `json:"steps,omitempty"`
}

// Base is the image that a build starts from, or a prebuilt image.
type Base struct {
	Kind   string     `json:"kind"` // registry, file or debian
	Ref    string     `json:"ref"`
	Digest oci.Digest `json:"digest"`
}

// Package is a locked Python package.
type Package struct {
	Name    string   `json:"name"`
	Version string   `json:"version,omitempty"`
	URL     string   `json:"url,omitempty"`   // of a direct reference
	Index   string   `json:"index,omitempty"` // the package index that it came from
	Marker  string   `json:"marker,omitempty"`
	Hashes  []string `json:"hashes,omitempty"` // such as sha256:..., any of which may match; none of a commit
}

// SystemPackage is an installed Debian package.
type SystemPackage struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// LockedStep is one step of the build. Its key is the digest of what the step
// does and of everything below it.
type LockedStep struct {
	Kind string `json:"kind"` // tools, apt, python or command; of a Dockerfile run, copy or mkdir
	Text string `json:"text"` // what was asked for
	Key  string `json:"key"`
}

// Encode gives the bytes of the lock, which are the same for the same lock.
func (l *Lock) Encode() []byte {
	text, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		panic("image: " + err.Error())
	}
	return append(text, '\n')
}

// ID is the digest of the lock, which names the image.
func (l *Lock) ID() string { return string(oci.DigestOf(l.Encode())) }

// line is p as uv reads it, with its hashes.
func (p Package) line() string {
	head := p.Name + "==" + p.Version
	if p.URL != "" {
		head = p.Name + " @ " + p.URL
	}
	if p.Marker != "" {
		head += " ; " + p.Marker
	}
	if len(p.Hashes) == 0 {
		return head
	}
	return head + " --hash=" + strings.Join(p.Hashes, " --hash=")
}

// commit says whether p is a whole commit of a git repository, which names its
// content as a hash does.
func (p Package) commit() bool {
	_, after, _ := strings.Cut(strings.TrimPrefix(p.URL, gitPrefix+"https://"), "@")
	sum, _, _ := strings.Cut(after, "#")
	return strings.HasPrefix(p.URL, gitPrefix) && len(sum) == 40 && strings.Trim(sum, "0123456789abcdef") == ""
}

// fromPrefix begins the comment in which uv says which index gave a package.
const fromPrefix = "# from "

// parseLock reads what uv pip compile printed. The bytes come from a cell, so
// a line that is not a pinned package with hashes is refused.
func parseLock(text string, set indexes) ([]Package, error) {
	joined := strings.ReplaceAll(text, "\\\n", " ")
	var out []Package
	for line := range strings.Lines(joined) {
		line = strings.TrimSpace(line)
		if from, ok := strings.CutPrefix(line, fromPrefix); ok && len(out) > 0 {
			out[len(out)-1].Index = set.realURL(from)
		}
		if line == "" || line[0] == '#' {
			continue
		}
		p, err := parseLockLine(line)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b Package) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

func parseLockLine(line string) (Package, error) {
	head, rest, _ := strings.Cut(line, " --hash=")
	req, err := ParseRequirement(strings.TrimSpace(head), true)
	if err != nil {
		return Package{}, err
	}
	p := Package{Name: req.Name, URL: req.URL, Marker: req.Marker}
	if p.commit() && rest == "" {
		return p, nil
	}
	for _, h := range strings.Split(rest, "--hash=") {
		p.Hashes = append(p.Hashes, strings.TrimSpace(h))
	}
	if !slices.ContainsFunc(p.Hashes, validHash) || slices.ContainsFunc(p.Hashes, func(h string) bool { return !validHash(h) }) {
		return Package{}, badRequirement(head, "the resolver gave no usable hashes")
	}
	if req.URL != "" {
		return p, nil
	}
	if len(req.Specifiers) != 1 || !strings.HasPrefix(req.Specifiers[0], "==") {
		return Package{}, badRequirement(head, "the resolver did not pin one version")
	}
	p.Version = strings.TrimLeft(req.Specifiers[0], "=")
	return p, nil
}

func validHash(h string) bool {
	algorithm, sum, ok := strings.Cut(h, ":")
	return ok && slices.Contains([]string{"sha256", "sha384", "sha512"}, algorithm) &&
		len(sum) >= 64 && strings.Trim(sum, "0123456789abcdef") == ""
}
