package image

import (
	"errors"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func TestParseRequirement(t *testing.T) {
	for text, want := range map[string]string{
		"numpy":                             "numpy",
		" NumPy ":                           "numpy",
		"Flask.SQL__Alchemy":                "flask-sql-alchemy",
		"pandas>=2.0":                       "pandas>=2.0",
		"pandas >= 2.0 , < 3":               "pandas<3,>=2.0",
		"pandas (>=2.0)":                    "pandas>=2.0",
		"a==1.*":                            "a==1.*",
		"a~=1.4.2":                          "a~=1.4.2",
		"a===anything.goes":                 "a===anything.goes",
		"a==1!2.0rc1.post2.dev3+local.1":    "a==1!2.0rc1.post2.dev3+local.1",
		"requests[socks,Security]":          "requests[security,socks]",
		"requests[]>1":                      "requests>1",
		"a ; python_version < '3.13'":       `a ; python_version < "3.13"`,
		`a;os_name=="posix"and extra=='b'`:  `a ; os_name == "posix" and extra == "b"`,
		"a; (sys_platform in 'linux')":      `a ; (sys_platform in "linux")`,
		"a; 'linux' not  in sys_platform":   `a ; "linux" not in sys_platform`,
		`a; os_name == '"' or os_name!="b"`: `a ; os_name == '"' or os_name != "b"`,
	} {
		req, err := ParseRequirement(text, false)
		if err != nil || req.String() != want {
			t.Errorf("ParseRequirement(%q) = %q, %v; want %q", text, req.String(), err, want)
		}
		again, err := ParseRequirement(req.String(), false)
		if err != nil || again.String() != want {
			t.Errorf("ParseRequirement(%q), its own spelling, = %q, %v", req.String(), again.String(), err)
		}
	}
}

// B01: what is more than a requirement is refused before anything runs.
func TestParseRequirementRefuses(t *testing.T) {
	for text, words := range map[string]string{
		"":                                   "empty",
		"   ":                                "empty",
		"--index-url http://x":               "options",
		"-r /etc/passwd":                     "options",
		"-e .":                               "options",
		"/etc/passwd":                        "paths",
		"./here":                             "paths",
		"../up":                              "paths",
		"git+https://example.com/x":          "cannot read",
		"git+file:///x":                      "cannot read",
		"file:///etc/passwd":                 "cannot read",
		"https://example.com/x.whl":          "cannot read",
		"a @ https://example.com/x.whl":      "direct references are not allowed",
		"name; rm -rf /":                     "unknown variable",
		"name && id":                         "cannot read",
		"name|id":                            "cannot read",
		"$(id)":                              "starts with",
		"`id`":                               "starts with",
		"a\n--index-url http://x":            "line break",
		"a\r":                                "line break",
		"a\x00b":                             "control character",
		"a --hash=sha256:00":                 "cannot read",
		"a==1 --pre":                         "cannot read",
		"a # comment":                        "cannot read",
		"a==":                                "version after ==",
		"a>=1.*":                             "version after >=",
		"a==1,":                              "comma",
		"a[b":                                "extras",
		"a[b c]":                             "extras",
		"a (>=1":                             "not closed",
		"a; os_name":                         "comparison",
		"a; os_name == 'b":                   "not closed",
		"a; " + strings.Repeat("(", 100):     "too deeply",
		"a; os_name == 'b' or":               "unknown variable",
		"é":                                  "starts with",
		"a\xff":                              "UTF-8",
		strings.Repeat("a", 2000):            "longer",
		"_a":                                 "starts with",
		"a-":                                 "starts with",
		"a; os_name == 'x' \\\n--find-links": "line break",
	} {
		_, err := ParseRequirement(text, false)
		if !errors.Is(err, &api.Error{Code: api.InvalidPackage}) || !strings.Contains(err.Error(), words) {
			t.Errorf("ParseRequirement(%q): %v, want invalid_package with %q", text, err, words)
		}
	}
}

func TestParseRequirementURL(t *testing.T) {
	req, err := ParseRequirement("a @ https://example.com/a-1.whl#sha256=00 ; os_name == 'posix'", true)
	if err != nil || req.URL != "https://example.com/a-1.whl#sha256=00" || req.Marker == "" {
		t.Errorf("got %+v, %v", req, err)
	}
	if req, err = ParseRequirement("a @ git+https://x.org/y.git@v1#subdirectory=z", true); err != nil || req.URL != "git+https://x.org/y.git@v1#subdirectory=z" {
		t.Errorf("got %+v, %v", req, err)
	}
	for _, text := range []string{"a @ http://example.com/x", "a @ file:///x", "a @ git+http://x/y", "a @ git+ssh://git@x/y", "a @ git+https://u:p@x.org/y", "a @ https://u:p@x.org/y", "a @ https:///x", "a @ "} {
		if _, err := ParseRequirement(text, true); err == nil {
			t.Errorf("ParseRequirement(%q) is accepted", text)
		}
	}
}

// FuzzParseRequirement: an accepted requirement has one spelling, which reads
// back as itself and holds no text that a shell or uv could misread.
func FuzzParseRequirement(f *testing.F) {
	for _, seed := range []string{"a[b]>=1,<2; python_version<'3'", "a @ https://x/y", "name; rm -rf /", "-r x", "a (==1.*)", "a;(os_name=='x'"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		req, err := ParseRequirement(text, true)
		if err != nil {
			return
		}
		spelled := req.String()
		if strings.ContainsAny(spelled, "\n\r\x00") || strings.HasPrefix(spelled, "-") {
			t.Fatalf("%q is spelled %q", text, spelled)
		}
		again, err := ParseRequirement(spelled, true)
		if err != nil || again.String() != spelled {
			t.Fatalf("%q is spelled %q, which reads as %q, %v", text, spelled, again.String(), err)
		}
	})
}

// B02: names of Debian packages and nothing else.
func TestCheckSystemPackage(t *testing.T) {
	for _, name := range []string{"curl", "g++", "libstdc++6", "libgl1-mesa-glx", "curl=7.88.1-10+deb12u5", "libc6:amd64", "a.b", "xx=1:2.3~rc1", "2ping"} {
		if err := checkSystemPackage(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{
		"", "a", "-y", "--force-yes", "curl -y", "curl;id", "./x.deb", "/tmp/x.deb", "Curl", "curl=", "curl=-1", "curl=1 2", "curl=../x",
		"curl-", "curl+", "curl/stable", "task^", "x*", "x\n", "$(id)", "curl=$(id)", "a:b:c", strings.Repeat("a", 200),
	} {
		if err := checkSystemPackage(name); !errors.Is(err, &api.Error{Code: api.InvalidPackage}) {
			t.Errorf("%q: %v, want invalid_package", name, err)
		}
	}
}
