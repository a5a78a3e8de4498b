package image

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

// The limits of files that are read from an image.
const (
	maxDpkgStatus = 64 << 20
	maxSources    = 1 << 20
	maxSystemPkgs = 100_000
	maxLinks      = 16
	maxPath       = 4096 // bytes of a path
	maxPathDirs   = 64   // directories of PATH in which Python is looked for
	maxAptFiles   = 64   // files with sources of apt
	maxAptSources = 256
)

// rootInfo is what the builder has to know about a root file system.
type rootInfo struct {
	Python  string // absolute path of the interpreter, or empty
	Version string // such as 3.11; empty where the file's name does not say
	Patch   string // such as 3.11.2; empty where neither the environment nor dpkg says
	APT     bool   // apt-get is there
	Debs    []SystemPackage
	Mirrors []string // hosts of its apt sources, as a network policy names them
}

// inspectRoot reads a root file system without running anything in it. env
// gives the PATH where Python is looked for.
func inspectRoot(root fs.FS, env []string) rootInfo {
	info := rootInfo{}
	info.Python, info.Version = findPython(root, env)
	_, _, info.APT = resolve(root, "usr/bin/apt-get")
	info.Debs = readDebs(root)
	info.Mirrors = readMirrors(root)
	info.Patch = info.patch(env)
	return info
}

func (i rootInfo) has(deb string) bool { return i.versionOf(deb) != "" }

// versionOf is the version of an installed Debian package, or nothing.
func (i rootInfo) versionOf(deb string) string {
	n, ok := slices.BinarySearchFunc(i.Debs, deb, func(p SystemPackage, name string) int { return strings.Compare(p.Name, name) })
	if !ok {
		return ""
	}
	return i.Debs[n].Version
}

var patchVersion = lazyregexp.New(`^3\.[0-9]+\.[0-9]+`)

// patch is the whole version of Python: the official images have it in their
// environment, Debian in its package.
func (i rootInfo) patch(env []string) string {
	if i.Version == "" {
		return ""
	}
	said := []string{i.versionOf("python" + i.Version)}
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, "PYTHON_VERSION="); ok {
			said = append(said, v)
		}
	}
	for _, v := range said {
		if m := patchVersion().FindString(v); strings.HasPrefix(m, i.Version+".") {
			return m
		}
	}
	return ""
}

var pythonName = lazyregexp.New(`^(?:python|pypy)(3\.[0-9]+)$`)

// findPython looks along PATH. The interpreter's real file name gives its
// version: python3 is a link to python3.11 wherever Python is packaged.
func findPython(root fs.FS, env []string) (found, version string) {
	dirs := strings.SplitN(pathOf(env), ":", maxPathDirs+1)
	for _, dir := range dirs[:min(len(dirs), maxPathDirs)] {
		for _, name := range []string{"python3", "python"} {
			at := path.Join(dir, name)
			real, info, ok := resolve(root, strings.TrimPrefix(at, "/"))
			if !ok || info.Mode()&0o111 == 0 || !path.IsAbs(at) {
				continue
			}
			if m := pythonName().FindStringSubmatch(path.Base(real)); m != nil {
				version = m[1]
			}
			return at, version
		}
	}
	return "", ""
}

// defaultPath is PATH of an image that names none.
const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

func pathOf(env []string) string {
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, "PATH="); ok {
			return v
		}
	}
	return defaultPath
}

// resolve follows the symbolic links of name within root to a regular file.
func resolve(root fs.FS, name string) (string, fs.FileInfo, bool) {
	name = path.Clean(name)
	for range maxLinks {
		if len(name) > maxPath {
			break
		}
		next, moved := resolveOnce(root, name)
		if !moved {
			info, err := fs.Lstat(root, name)
			return name, info, err == nil && info.Mode().IsRegular()
		}
		name = next
	}
	return "", nil, false
}

// resolveOnce replaces the first symbolic link on the way to name.
func resolveOnce(root fs.FS, name string) (string, bool) {
	parts := strings.Split(name, "/")
	for n := range parts {
		prefix := path.Join(parts[:n+1]...)
		info, err := fs.Lstat(root, prefix)
		if err != nil {
			return name, false // nothing is behind what is not there
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		target, err := fs.ReadLink(root, prefix)
		if err != nil {
			return "", false
		}
		if !path.IsAbs(target) {
			target = path.Join("/", path.Dir(prefix), target)
		}
		joined := path.Join(append([]string{path.Clean(target)}, parts[n+1:]...)...)
		return strings.TrimPrefix(joined, "/"), true
	}
	return name, false
}

// readBounded reads a file of the image, following its links, up to limit.
func readBounded(root fs.FS, name string, limit int64) ([]byte, error) {
	real, _, ok := resolve(root, name)
	if !ok {
		return nil, fs.ErrNotExist
	}
	f, err := root.Open(real)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = errors.New("the file is too large")
	}
	return data, err
}

// readDebs lists the installed packages of dpkg's status file (deb-control(5)).
func readDebs(root fs.FS) []SystemPackage {
	text, err := readBounded(root, "var/lib/dpkg/status", maxDpkgStatus)
	if err != nil {
		return nil
	}
	var out []SystemPackage
	for stanza := range strings.SplitSeq(string(text), "\n\n") {
		fields := stanzaFields(stanza)
		if !strings.HasSuffix(fields["status"], " installed") || fields["package"] == "" || len(out) == maxSystemPkgs {
			continue
		}
		out = append(out, SystemPackage{fields["package"], fields["version"]})
	}
	slices.SortFunc(out, func(a, b SystemPackage) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(out, func(a, b SystemPackage) bool { return a.Name == b.Name })
}

// stanzaFields reads the single-line fields of a deb822 stanza, with names in
// lower case.
func stanzaFields(stanza string) map[string]string {
	fields := map[string]string{}
	for line := range strings.Lines(stanza) {
		if name, value, ok := strings.Cut(line, ":"); ok && name != "" && name[0] != ' ' && name[0] != '#' {
			fields[strings.ToLower(name)] = strings.TrimSpace(value)
		}
	}
	return fields
}

// aptSources reads every source of apt below root: sources.list(5) in both its
// forms. An image may have any number of them; what is too much is left out.
func aptSources(root fs.FS) []aptSource {
	names := []string{"etc/apt/sources.list"}
	entries, err := fs.ReadDir(root, "etc/apt/sources.list.d")
	if err == nil {
		for _, e := range entries[:min(len(entries), maxAptFiles)] {
			names = append(names, "etc/apt/sources.list.d/"+e.Name())
		}
	}
	var out []aptSource
	for _, name := range names {
		text, err := readBounded(root, name, maxSources)
		if err != nil {
			continue
		}
		if path.Ext(name) == ".sources" {
			out = append(out, deb822Sources(string(text))...)
		} else if path.Ext(name) == ".list" {
			out = append(out, listSources(string(text))...)
		}
		out = out[:min(len(out), maxAptSources)]
	}
	return out
}

// aptSource is one source of Debian packages.
type aptSource struct {
	URI        string
	Suites     []string
	Components []string
	Keyring    string // a path, or empty
}

func listSources(text string) []aptSource {
	var out []aptSource
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		line := lines.Text()
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "deb ")
		if !ok {
			continue
		}
		keyring := ""
		if rest = strings.TrimSpace(rest); strings.HasPrefix(rest, "[") {
			options, after, _ := strings.Cut(rest[1:], "]")
			rest = after
			for _, o := range strings.Fields(options) {
				if v, ok := strings.CutPrefix(o, "signed-by="); ok {
					keyring = v
				}
			}
		}
		if f := strings.Fields(rest); len(f) >= 2 {
			out = append(out, aptSource{f[0], f[1:2], f[2:], keyring})
		}
	}
	return out
}

func deb822Sources(text string) []aptSource {
	var out []aptSource
	for stanza := range strings.SplitSeq(text, "\n\n") {
		f := stanzaFields(stanza)
		if f["uris"] == "" || f["enabled"] == "no" || !slices.Contains(strings.Fields(f["types"]), "deb") {
			continue
		}
		keyring := f["signed-by"]
		if !path.IsAbs(keyring) {
			keyring = ""
		}
		for _, uri := range strings.Fields(f["uris"]) {
			out = append(out, aptSource{uri, strings.Fields(f["suites"]), strings.Fields(f["components"]), keyring})
		}
	}
	return out
}

// readMirrors lists the hosts of the http and https sources of an image.
func readMirrors(root fs.FS) []string {
	var out []string
	for _, s := range aptSources(root) {
		u, err := url.Parse(s.URI)
		if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" {
			out = append(out, allowHost(u))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// wantPython checks that the base has the Python that the spec asks for.
func wantPython(info rootInfo, want string, base Base) error {
	unknownPatch := info.Patch == "" && info.Version != "" && strings.HasPrefix(want, info.Version+".")
	if want == "" || want == info.Version || want == info.Patch || unknownPatch {
		return nil
	}
	got := "no Python"
	if info.Python != "" {
		got = "Python " + firstOf(info.Patch, info.Version)
	}
	return api.Errorf(api.BaseUnavailable, "base %s has %s, and the task asks for Python %s", base.Ref, got, want).
		WithHint("leave out the Python version, or name another base").
		WithDetails(api.Details{Field: "image.python", Expected: want, Got: info.Version})
}
