package cli

import (
	"bytes"
	"strings"
	"testing"
)

// TestPasswordOnTheCommandLine: a password that all users of the host can see is named,
// and not shown once more.
func TestPasswordOnTheCommandLine(t *testing.T) {
	for url, warns := range map[string]bool{
		"postgres://u:pw@h/d": true, "postgres://u@h/d?password=pw": true, "postgres://u@h/d": false, "": false, "postgres://u:p%zz@h": false,
	} {
		var out bytes.Buffer
		c := &cli{Streams: Streams{Err: &out}}
		c.warnOfPassword(url)
		if got := out.Len() > 0; got != warns || strings.Contains(out.String(), "pw@") {
			t.Errorf("%q: said %q", url, out.String())
		}
	}
}
