package image

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

// The limits of a spec.
const (
	maxPackages = 1000
	maxCommands = 100
	maxCommand  = 64 << 10 // bytes
	maxIndexes  = 16
)

var (
	pythonPattern = lazyregexp.New(`^3\.[0-9]{1,2}(\.[0-9]{1,2})?$`)
	namePattern   = lazyregexp.New(`^[a-z0-9]+([._-][a-z0-9]+)*$`)
)

// Spec is an image spec in canonical form: what differs only in order,
// spelling or name is the same image.
type Spec struct {
	Ref            string       `json:"ref,omitempty"`
	Base           string       `json:"base,omitempty"`
	Python         string       `json:"python,omitempty"`
	Packages       []string     `json:"packages,omitempty"`
	SystemPackages []string     `json:"system_packages,omitempty"`
	Commands       []string     `json:"commands,omitempty"`
	IndexURL       string       `json:"index_url,omitempty"`
	ExtraIndexURLs []string     `json:"extra_index_urls,omitempty"`
	Network        *api.Network `json:"network,omitempty"` // as in api.ImageSpec, with a sorted list
	Platform       string       `json:"platform"`

	Dockerfile string            `json:"dockerfile,omitempty"`
	Context    string            `json:"context,omitempty"`
	Target     string            `json:"target,omitempty"`
	BuildArgs  map[string]string `json:"build_args,omitempty"`
}

// Canonical checks every field of s and brings it into canonical form. Wrong
// packages are invalid_package, everything else invalid_task with the field.
func Canonical(s api.ImageSpec) (Spec, error) {
	if err := checkText(s); err != nil {
		return Spec{}, err
	}
	if s.Dockerfile != "" {
		return canonicalDockerfile(s)
	}
	if err := refuseBeside(dockerFields(s), "needs a dockerfile"); err != nil {
		return Spec{}, err
	}
	if s.Ref != "" {
		return canonicalRef(s)
	}
	if s.Python != "" && !pythonPattern().MatchString(s.Python) {
		return Spec{}, badField("python", s.Python, "a version such as 3.12 or 3.12.4")
	}
	if err := checkName(s.Name); err != nil {
		return Spec{}, err
	}
	if err := checkCommands(s.Commands); err != nil {
		return Spec{}, err
	}
	out := Spec{Base: s.Base, Python: s.Python, Commands: slices.Clone(s.Commands), Platform: platform()}
	var err error
	if out.Packages, err = canonicalPackages(s.Packages, s.AllowURLs); err != nil {
		return Spec{}, err
	}
	if out.SystemPackages, err = canonicalSystemPackages(s.SystemPackages); err != nil {
		return Spec{}, err
	}
	out.Network = canonicalNetwork(s.Network)
	return out, out.takeIndexes(s)
}

func checkName(name string) error {
	if name != "" && (len(name) > 128 || !namePattern().MatchString(name)) {
		return badField("name", name, "lower-case letters and digits with single '.', '_' or '-' between them")
	}
	return nil
}

func canonicalNetwork(n *api.Network) *api.Network {
	if n == nil {
		return nil
	}
	return &api.Network{Public: n.Public, Allow: slices.Compact(slices.Sorted(slices.Values(n.Allow)))}
}

// takeIndexes checks the package indexes of s. Their order counts.
func (out *Spec) takeIndexes(s api.ImageSpec) error {
	if len(s.ExtraIndexURLs) > maxIndexes {
		return api.Errorf(api.InvalidTask, "image has %d further package indexes, the limit is %d", len(s.ExtraIndexURLs), maxIndexes).
			WithDetails(api.Details{Field: "image.extra_index_urls", Limit: maxIndexes})
	}
	if s.IndexURL != "" {
		if err := checkIndexURL("index_url", s.IndexURL); err != nil {
			return err
		}
	}
	for _, u := range s.ExtraIndexURLs {
		if err := checkIndexURL("extra_index_urls", u); err != nil {
			return err
		}
	}
	out.IndexURL, out.ExtraIndexURLs = s.IndexURL, slices.Clone(s.ExtraIndexURLs)
	return nil
}

// setField is a field of a spec, and whether it says anything.
type setField struct {
	name string
	set  bool
}

// refuseBeside refuses fields that have no meaning in a spec.
func refuseBeside(fields []setField, why string) error {
	for _, f := range fields {
		if f.set {
			return api.Errorf(api.InvalidTask, "image field %s %s", f.name, why).WithDetails(api.Details{Field: "image." + f.name})
		}
	}
	return nil
}

func dockerFields(s api.ImageSpec) []setField {
	return []setField{
		{"context", s.Context != ""}, {"target", s.Target != ""}, {"build_args", len(s.BuildArgs) > 0}, {"build_secrets", len(s.BuildSecrets) > 0},
	}
}

// builtFields are those of an image that is built without a Dockerfile.
func builtFields(s api.ImageSpec) []setField {
	return []setField{
		{"base", s.Base != ""}, {"python", s.Python != ""}, {"packages", len(s.Packages) > 0},
		{"system_packages", len(s.SystemPackages) > 0}, {"commands", len(s.Commands) > 0}, {"allow_urls", s.AllowURLs},
	}
}

func canonicalRef(s api.ImageSpec) (Spec, error) {
	fields := append([]setField{{"name", s.Name != ""}}, builtFields(s)...)
	fields = append(fields, setField{"registry", s.Registry != ""}, setField{"index_url", s.IndexURL != ""},
		setField{"extra_index_urls", len(s.ExtraIndexURLs) > 0}, setField{"network", s.Network != nil})
	for _, f := range fields {
		if f.set {
			return Spec{}, api.Errorf(api.InvalidTask, "image field %s cannot be set beside a prebuilt image %q", f.name, s.Ref).
				WithHint("leave out %s, or use the image as the base: base %q", f.name, s.Ref).
				WithDetails(api.Details{Field: "image." + f.name})
		}
	}
	return Spec{Ref: s.Ref, Platform: platform()}, nil
}

// maxDockerfile bounds the text of a Dockerfile, in bytes: the lock of an image
// has all of it.
const maxDockerfile = 256 << 10

var contextPattern = lazyregexp.New(`^[0-9a-f]{64}$`)

func canonicalDockerfile(s api.ImageSpec) (Spec, error) {
	fields := append([]setField{{"ref", s.Ref != ""}}, builtFields(s)...)
	if err := refuseBeside(fields, "cannot be set beside a dockerfile, which says it itself"); err != nil {
		return Spec{}, err
	}
	if err := checkName(s.Name); err != nil {
		return Spec{}, err
	}
	if len(s.Dockerfile) > maxDockerfile || !utf8.ValidString(s.Dockerfile) || strings.ContainsRune(s.Dockerfile, 0) {
		return Spec{}, badField("dockerfile", quoteStart(s.Dockerfile), "a text of at most 256 KiB without NUL")
	}
	if s.Context != "" && !contextPattern().MatchString(s.Context) {
		return Spec{}, badField("context", s.Context, "the digest of a stored tar, 64 hexadecimal digits in lower case")
	}
	if s.RegistrySecret != "" && s.Registry == "" {
		return Spec{}, api.Errorf(api.InvalidTask, "image field registry_secret needs a registry, beside a dockerfile: the images that it names may be of any").
			WithDetails(api.Details{Field: "image.registry_secret"})
	}
	out := Spec{
		Dockerfile: s.Dockerfile, Context: s.Context, Target: s.Target, BuildArgs: maps.Clone(s.BuildArgs),
		Network: canonicalNetwork(s.Network), Platform: platform(),
	}
	return out, out.takeIndexes(s)
}

// checkText refuses references that no registry, path or tool may see.
func checkText(s api.ImageSpec) error {
	for _, f := range [][2]string{{"ref", s.Ref}, {"base", s.Base}, {"registry", s.Registry}} {
		if plainText(f[1]) != nil || strings.ContainsAny(f[1], " \t") || strings.HasPrefix(f[1], "-") {
			return badField(f[0], f[1], "a reference without spaces and control characters")
		}
	}
	return nil
}

func checkCommands(commands []string) error {
	if len(commands) > maxCommands {
		return api.Errorf(api.InvalidTask, "image has %d commands, the limit is %d", len(commands), maxCommands).
			WithHint("join commands with &&").WithDetails(api.Details{Field: "image.commands"})
	}
	for _, c := range commands {
		if strings.TrimSpace(c) == "" || len(c) > maxCommand || strings.ContainsRune(c, 0) {
			return badField("commands", quoteStart(c), "a shell command of at most 64 KiB without NUL")
		}
	}
	return nil
}

func badField(field, got, expected string) error {
	return api.Errorf(api.InvalidTask, "image field %s is %q, expected %s", field, got, expected).
		WithDetails(api.Details{Field: "image." + field, Got: got, Expected: expected})
}

func canonicalPackages(packages []string, allowURLs bool) ([]string, error) {
	if len(packages) > maxPackages {
		return nil, api.Errorf(api.InvalidTask, "image has %d packages, the limit is %d", len(packages), maxPackages).
			WithDetails(api.Details{Field: "image.packages"})
	}
	var out []string
	for _, p := range packages {
		req, err := ParseRequirement(p, allowURLs)
		if err != nil {
			return nil, err
		}
		out = append(out, req.String())
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

func canonicalSystemPackages(packages []string) ([]string, error) {
	if len(packages) > maxPackages {
		return nil, api.Errorf(api.InvalidTask, "image has %d system packages, the limit is %d", len(packages), maxPackages).
			WithDetails(api.Details{Field: "image.system_packages"})
	}
	for _, p := range packages {
		if err := checkSystemPackage(p); err != nil {
			return nil, err
		}
	}
	out := slices.Sorted(slices.Values(packages))
	return slices.Compact(out), nil
}

// platform is the platform of the host, which is that of its cells.
func platform() string { return "linux/" + runtime.GOARCH }

// Digest is the hex SHA-256 of the canonical form, and of the builder's version
// where an image is built.
func (s Spec) Digest() string {
	if s.Ref != "" {
		return digestJSON(s)
	}
	return digestJSON([]any{builderVersion, s})
}

// DefaultName is the name of an image whose spec names none.
func (s Spec) DefaultName() string { return "glovebox-" + s.Digest()[:12] }

// digestJSON is the hex SHA-256 of v's JSON. Only types of this package whose
// JSON cannot fail go in.
func digestJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("image: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
