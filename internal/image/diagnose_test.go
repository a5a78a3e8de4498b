package image

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// The words of uv and apt are those of real runs.
func TestDiagnose(t *testing.T) {
	uv := func(log string) *api.Error {
		return diagnoseUV(log, cell.Exit{Code: 1}, []string{"numpy==99.9", "tensorflow==1.0", "six>=99", "foo"})
	}
	apt := func(log string) *api.Error { return diagnoseApt(log, cell.Exit{Code: 100}) }
	for name, tt := range map[string]struct {
		diagnose func(string) *api.Error
		log      string
		code     api.Code
		pkg      string
		says     string
	}{
		"unknown":             {uv, "error: No solution found when resolving dependencies\n  cause: Because nosuchpkg-zzz-qq was not found in the package registry and you require nosuchpkg-zzz-qq, we can conclude that your requirements are unsatisfiable.\n", api.InvalidPackage, "nosuchpkg-zzz-qq", "was not found in the package registry"},
		"version":             {uv, "error: No solution found\n  cause: Because there is no version of numpy==99.9 and you require numpy==99.9, we can conclude that your requirements are unsatisfiable.", api.InvalidPackage, "numpy", "there is no version of numpy==99.9"},
		"only older":          {uv, "  cause: Because only six<=1.17.0 is available and you require six>=99, we can conclude that your requirements are unsatisfiable.", api.InvalidPackage, "six", "only six<=1.17.0"},
		"wheels":              {uv, "  cause: Because tensorflow==1.0.0 has no wheels with a matching Python ABI tag (e.g., `cp311`) and you require tensorflow==1.0, we can conclude that your requirements are unsatisfiable.", api.InvalidPackage, "tensorflow", "ABI tag"},
		"pins":                {uv, "  cause: Because scipy==1.9.0 depends on numpy>=1.18.5,<1.25.0 and you require scipy==1.9.0, we can conclude that you require numpy>=1.18.5,<1.25.0.\n         And because you require numpy==2.1.0, we can conclude that your requirements are unsatisfiable.", api.ResolutionFailed, "", "scipy==1.9.0 depends on numpy"},
		"pin of a dependency": {uv, "  cause: Because there is no version of bar==3 and foo==1 depends on bar==3, we can conclude that your requirements are unsatisfiable.", api.ResolutionFailed, "", "bar==3"},
		"network":             {uv, "error: Request failed after 3 retries in 7.4s\n  cause: Failed to fetch: https://nosuch.invalid/simple/six/\n  cause: error sending request for url (https://nosuch.invalid/simple/six/)\n  cause: dns error", api.IndexUnavailable, "", "Request failed after 3 retries"},
		"build":               {uv, "error: Failed to build `mypkg==1.0`\n  cause: The build backend returned an error\n  cause: Call to `setuptools.build_meta.build_wheel` failed (exit status: 1)", api.BuildFailed, "mypkg", "could not be built"},
		"else":                {uv, "thread panicked", api.BuildFailed, "", "thread panicked"},
		"apt unknown":         {apt, "Reading package lists...\nE: Unable to locate package foo", api.InvalidPackage, "foo", "E: Unable to locate package foo"},
		"apt candidate":       {apt, "E: Package 'libgl1-mesa-glx' has no installation candidate", api.InvalidPackage, "libgl1-mesa-glx", "no installation candidate"},
		"apt version":         {apt, "E: Version '1' for 'curl' was not found", api.InvalidPackage, "curl", "Version '1'"},
		"apt pattern":         {apt, "E: Unable to locate package a.b\nE: Couldn't find any package by glob 'a.b'", api.InvalidPackage, "a.b", "by glob"},
		"apt conflict":        {apt, "The following packages have unmet dependencies:\n a : Depends: b\nE: Unable to correct problems, you have held broken packages.", api.ResolutionFailed, "", "held broken packages"},
		"apt network":         {apt, "Err:1 http://deb.debian.org/debian bookworm InRelease\n  Could not connect to 127.0.0.1:3128\nE: Failed to fetch http://deb.debian.org/x", api.IndexUnavailable, "", "Failed to fetch"},
		"apt else":            {apt, "dpkg: error processing archive", api.BuildFailed, "", "dpkg"},
	} {
		t.Run(name, func(t *testing.T) {
			e := tt.diagnose(tt.log)
			if e.Code != tt.code || e.Details.Package != tt.pkg || !strings.Contains(e.Message, tt.says) || e.Details.Log == "" {
				t.Errorf("%+v, want %s of %q saying %q", e, tt.code, tt.pkg, tt.says)
			}
		})
	}
}

func TestGuesses(t *testing.T) {
	for name, want := range map[string]string{
		"numpyy": "numpy", "numyp": "numpy", "sklearn": "scikit-learn", "PIL": "pillow", "scikit_lern": "scikit-learn",
		"python-numpy": "numpy", "requets": "requests", "dateutil": "python-dateutil",
	} {
		if got := guesses(name); !slices.Contains(got, want) || len(got) > maxGuesses {
			t.Errorf("guesses(%q) = %q, want %q among them", name, got, want)
		}
	}
	if got := guesses("zzzzqqqq"); slices.Contains(got, "") || slices.Contains(got, "zzzzqqqq") {
		t.Errorf("guesses of nonsense: %q", got)
	}
}

// TestParseLockRefuses: the output of a resolver in a cell is hostile. A line
// that is not a pinned package with hashes is refused.
func TestParseLockRefuses(t *testing.T) {
	hash := " --hash=sha256:" + strings.Repeat("0", 64)
	if got, err := parseLock("# c\nb==1 ; os_name == 'x'"+hash+"\na @ https://x.example/a.whl \\\n   "+hash+"\n", indexes{}); err != nil || len(got) != 2 || got[0].Name != "a" || got[1].Marker == "" {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, text := range []string{"a", "a==1", "a>=1" + hash, "a==1,==2" + hash, "--index-url http://x" + hash, "a==1 --hash=md5:00", "a==1" + hash + " --pre", "a @ file:///x" + hash} {
		if got, err := parseLock(text, indexes{}); err == nil {
			t.Errorf("parseLock(%q) = %+v", text, got)
		}
	}
}

func FuzzParseLock(f *testing.F) {
	f.Add(sixLock)
	f.Add("a @ https://x/y ; os_name == 'b' --hash=sha256:00")
	f.Fuzz(func(t *testing.T, text string) {
		packages, err := parseLock(text, indexes{})
		if err != nil {
			return
		}
		var again strings.Builder
		for _, p := range packages {
			again.WriteString(p.line() + "\n")
		}
		back, err := parseLock(again.String(), indexes{})
		if err != nil || !cmp.Equal(packages, back) {
			t.Fatalf("%q reads as %+v, written %q, which reads as %+v, %v", text, packages, again.String(), back, err)
		}
	})
}

func TestInspectRoot(t *testing.T) {
	link := func(target string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
	}
	program := &fstest.MapFile{Data: []byte("x"), Mode: 0o755}
	root := fstest.MapFS{
		"usr/local/bin/python3":            link("python3.12"),
		"usr/local/bin/python3.12":         program,
		"usr/bin/apt-get":                  program,
		"bin":                              link("usr/bin"),
		"loop":                             link("loop"),
		"up":                               link("../../../../etc/passwd"),
		"etc/passwd":                       {Data: []byte("of the image")},
		"var/lib/dpkg/status":              {Data: []byte("Package: a\nStatus: install ok installed\nVersion: 1\nDescription: x\n Package: fake\n\nPackage: b\nStatus: deinstall ok config-files\nVersion: 2\n")},
		"etc/apt/sources.list":             {Data: []byte("# deb http://no.example/debian x main\ndeb [arch=amd64 signed-by=/k.gpg] https://a.example/debian bookworm main contrib\ndeb-src http://src.example/ x main\n")},
		"etc/apt/sources.list.d/d.sources": {Data: []byte("Types: deb\nURIs: http://b.example:8080/debian http://c.example/x\nSuites: s s-updates\nComponents: main\nSigned-By: /usr/share/keyrings/d.gpg\n\nTypes: deb\nEnabled: no\nURIs: http://off.example/\n")},
	}
	info := inspectRoot(root, nil)
	want := rootInfo{Python: "/usr/local/bin/python3", Version: "3.12", APT: true, Debs: []SystemPackage{{"a", "1"}}, Mirrors: []string{"a.example", "b.example:8080", "c.example"}}
	if diff := cmp.Diff(want, info); diff != "" {
		t.Error(diff)
	}
	if _, _, ok := resolve(root, "loop"); ok {
		t.Error("a link to itself leads somewhere")
	}
	if text, err := readBounded(root, "up", 100); err != nil || string(text) != "of the image" {
		t.Errorf("a link upwards gives %q, %v", text, err)
	}
	if _, err := readBounded(root, "etc/passwd", 3); err == nil {
		t.Error("a file over its limit was read")
	}
	if _, _, ok := resolve(root, "bin/apt-get"); !ok {
		t.Error("a link in the middle of a path is not followed")
	}
}

func TestWantPython(t *testing.T) {
	debian := rootInfo{Python: "/usr/bin/python3", Version: "3.11", Debs: []SystemPackage{{"python3.11", "3.11.2-6+deb12u6"}}}
	debian.Patch = debian.patch(nil)
	official := rootInfo{Python: "/usr/local/bin/python3", Version: "3.12"}
	official.Patch = official.patch([]string{"PYTHON_VERSION=3.12.4"})
	for _, tt := range []struct {
		info rootInfo
		want string
		ok   bool
	}{
		{debian, "", true}, {debian, "3.11", true}, {debian, "3.11.2", true}, {debian, "3.11.4", false}, {debian, "3.1", false}, {debian, "3.12", false},
		{official, "3.12.4", true}, {official, "3.12.5", false}, {rootInfo{}, "3.12", false}, {rootInfo{}, "", true},
		{rootInfo{Python: "/p", Version: "3.10"}, "3.10.1", true},
	} {
		err := wantPython(tt.info, tt.want, Base{Ref: "b"})
		if (err == nil) != tt.ok || err != nil && !errors.Is(err, &api.Error{Code: api.BaseUnavailable}) {
			t.Errorf("%+v for %q: %v", tt.info, tt.want, err)
		}
	}
}

func TestHostMirror(t *testing.T) {
	for name, tt := range map[string]struct {
		root fstest.MapFS
		want mirror
	}{
		"nothing": {fstest.MapFS{}, mirror{main: defaultMirror, security: defaultSecurity}},
		"ubuntu":  {fstest.MapFS{"etc/apt/sources.list": {Data: []byte("deb http://archive.ubuntu.com/ubuntu noble main\n")}}, mirror{main: defaultMirror, security: defaultSecurity}},
		"debian": {fstest.MapFS{"etc/apt/sources.list": {Data: []byte("deb [signed-by=/k] http://m.example/debian bookworm main\ndeb http://s.example/debian-security bookworm-security main\n")}},
			mirror{main: "http://m.example/debian", security: "http://s.example/debian-security", keyring: "/k"}},
		"credentials": {fstest.MapFS{"etc/apt/sources.list": {Data: []byte("deb http://u:p@m.example/debian bookworm main\n")}}, mirror{main: defaultMirror, security: defaultSecurity}},
	} {
		if got := hostMirror(tt.root); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}
