package egress

import (
	"errors"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func TestPolicy(t *testing.T) {
	allow := func(rules ...string) api.Network { return api.Network{Allow: rules} }
	tests := []struct {
		policy api.Network
		to     string
		want   bool
	}{
		{allow("pypi.org"), "pypi.org:443", true},
		{allow("pypi.org"), "pypi.org:80", true},
		{allow("pypi.org"), "PyPI.org.:443", true},
		{allow("PyPI.ORG."), "pypi.org:443", true},
		{allow("pypi.org"), "pypi.org:8443", false},
		{allow("pypi.org"), "files.pypi.org:443", false},
		{allow("pypi.org"), "pypi.org.evil.com:443", false},
		{allow("pypi.org"), "xpypi.org:443", false},
		{allow("pypi.org:8443"), "pypi.org:8443", true},
		{allow("pypi.org:8443"), "pypi.org:443", false},
		{allow("*.example.com"), "a.example.com:443", true},
		{allow("*.example.com"), "a.b.example.com:443", true},
		{allow("*.example.com"), "A.EXAMPLE.com.:443", true},
		{allow("*.example.com"), "example.com:443", false},
		{allow("*.example.com"), "badexample.com:443", false},
		{allow("*.example.com"), "a.example.com.evil.com:443", false},
		{allow("*.example.com:22"), "a.example.com:22", true},
		{allow("a.org", "b.org"), "b.org:443", true},
		{allow("xn--bcher-kva.example"), "xn--bcher-kva.example:443", true},
		{allow("a.org"), "1.1.1.1:443", false},
		{allow("a.org"), "[2606:4700::1]:443", false},
		{api.Network{}, "a.org:443", false},
		{api.Network{Public: true}, "a.org:8080", true},
		{api.Network{Public: true}, "1.1.1.1:53", true},
		{api.Network{Public: true}, "localhost:80", false},
		{api.Network{Public: true}, "a.LOCALHOST.:80", false},
		{api.Network{Public: true}, "metadata.google.internal:80", false},
		{api.Network{Public: true}, "METADATA.google.internal.:80", false},
		{allow("metadata.google.internal"), "metadata.google.internal:80", false},
	}
	for _, test := range tests {
		p, err := ParsePolicy(test.policy)
		if err != nil {
			t.Fatal(err)
		}
		to, r := parseTarget(test.to, 0)
		if r != nil {
			t.Fatalf("%s: %v", test.to, r)
		}
		if r := p.check(to); (r == nil) != test.want {
			t.Errorf("%+v, to %s: %v", test.policy, test.to, r)
		}
	}
}

func TestParsePolicyRefuses(t *testing.T) {
	tests := []struct{ rule, word string }{
		{"", "empty"}, {"*", "public"}, {"https://pypi.org", "scheme"}, {"pypi.org/simple", "path"}, {"pypi.org?x", "path"},
		{"user@pypi.org", "user"}, {"bücher.example", "xn--"}, {"pypi.org:0", "port"}, {"pypi.org:", "port"}, {"pypi.org:65536", "port"},
		{"pypi.org:http", "port"}, {"pypi.org:080", "port"}, {"1.1.1.1", "address"}, {"1.1.1.1:80", "address"}, {"::1", "address"},
		{"[::1]", "address"}, {"[::1]:80", "address"}, {"2130706433", "address"}, {"0x7f.1", "address"}, {"0177.0.0.1", "address"},
		{"a..b", "domain"}, {".a.org", "domain"}, {"-a.org", "domain"}, {"a b.org", "domain"}, {"*.*.org", "domain"}, {"a.*.org", "domain"},
		{"*a.org", "domain"}, {"a.org:80:80", "port"}, {strings.Repeat("a", 64) + ".org", "domain"}, {strings.Repeat("a.", 130) + "org", "domain"},
		{"a.org\r\nx", "domain"},
	}
	for _, test := range tests {
		_, err := ParsePolicy(api.Network{Allow: []string{"ok.org", test.rule}})
		var e *api.Error
		if !errors.As(err, &e) || e.Code != api.InvalidTask || e.Details.Field != "network.allow[1]" {
			t.Errorf("%q: %v", test.rule, err)
			continue
		}
		if !strings.Contains(e.Message+e.Hint, test.word) {
			t.Errorf("%q: %s (%s) does not say %q", test.rule, e.Message, e.Hint, test.word)
		}
	}
}

func TestParsePolicyRefusesContradictions(t *testing.T) {
	if _, err := ParsePolicy(api.Network{Public: true, Allow: []string{"a.org"}}); !errors.Is(err, &api.Error{Code: api.InvalidTask}) {
		t.Errorf("public and a list: %v", err)
	}
	many := strings.Split(strings.Repeat("a.org ", maxRules+1), " ")
	if _, err := ParsePolicy(api.Network{Allow: many}); !errors.Is(err, &api.Error{Code: api.InvalidTask}) {
		t.Errorf("too many rules: %v", err)
	}
}

func TestParseTargetRefuses(t *testing.T) {
	for _, text := range []string{
		"", "a.org", ":80", "a.org:", "a.org:0", "a.org:65536", "a.org:-1", "a.org:+80", "a.org:80x", "a b:80", "a..b:80", "ä.org:80",
		"127.1:80", "2130706433:80", "0x7f000001:80", "0x7f.0.0.1:80", "0177.0.0.1:80", "017700000001:80", "127.0.0.01:80", "1.2.3.4.5:80",
		"127.0.0.1.:80", "0x:80", "[fe80::1%eth0]:80", "[::1%25lo]:80", "::1:80", "[::1]", "a%00.org:80", "a\x00.org:80", "a@b.org:80",
		strings.Repeat("a", 300) + ":80",
	} {
		if got, r := parseTarget(text, 0); r == nil {
			t.Errorf("%q was read as %v", text, got)
		}
	}
}

func FuzzTarget(f *testing.F) {
	for _, seed := range []string{"a.org:443", "[::1]:80", "127.1:80", "0x7f.1:1", "[fe80::1%1]:2", "a.org.:65535"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, r := parseTarget(text, 80)
		if r != nil {
			return
		}
		again, r := parseTarget(got.String(), 0)
		if r != nil || again != got {
			t.Errorf("%q is %v, which reads as %v, %v", text, got, again, r)
		}
		if !got.addr.IsValid() && isAddress(got.host) {
			t.Errorf("%q is an address that passes for a name", text)
		}
	})
}
