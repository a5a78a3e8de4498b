package egress

import (
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestWithin: a policy within another reaches nothing more (attack C03).
func TestWithin(t *testing.T) {
	none := api.Network{}
	for _, c := range []struct {
		inner, outer api.Network
		want         bool
	}{
		{none, none, true}, {none, public, true}, {public, public, true}, {allow("a.org"), public, true},
		{public, none, false}, {public, allow("a.org"), false}, {allow("a.org"), none, false},
		{allow("a.org"), allow("b.org", "A.org."), true}, {allow("a.org", "c.org"), allow("a.org", "b.org"), false},
		{allow("x.a.org"), allow("a.org"), false}, {allow("x.a.org"), allow("*.a.org"), true}, {allow("a.org"), allow("*.a.org"), false},
		{allow("*.a.org"), allow("*.a.org"), true}, {allow("*.a.org"), allow("a.org"), false}, {allow("*.x.a.org"), allow("*.a.org"), true},
		{allow("*.a.org"), allow("*.x.a.org"), false}, {allow("xa.org"), allow("*.a.org"), false},
		{allow("a.org:443"), allow("a.org"), true}, {allow("a.org:22"), allow("a.org"), false}, {allow("a.org:22"), allow("a.org:22"), true},
		{allow("a.org"), allow("a.org:443"), false}, {allow("a.org"), allow("a.org:443", "a.org:80"), true},
		{allow("https://a.org"), public, false}, {allow("a.org"), allow("https://a.org"), false},
	} {
		if err := Within(c.inner, c.outer); (err == nil) != c.want {
			t.Errorf("%+v within %+v: %v", c.inner, c.outer, err)
		}
	}
}
