package sandbox

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// S01: the audit is a place like any other where a secret must not be.
func TestAuditHoldsNoSecret(t *testing.T) {
	r := &Runner{config: Config{Secrets: func(string) ([]byte, error) { return []byte("S3cret-Token"), nil }}}
	s, err := r.readSecrets(&api.Task{Secrets: []api.SecretRef{{Name: "token", Env: "TOKEN"}}}, "", time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	var a audit
	a.add(api.Connection{Host: "s3cret-token.example.com", Reason: "S3cret-Token.example.com has no address", BytesIn: 3})
	a.add(api.Connection{Host: "pypi.org", BytesOut: 4})
	list, usage := a.sum(s.redactor)
	want := []api.Connection{
		{Host: "[redacted].example.com", Reason: "[redacted].example.com has no address", BytesIn: 3}, {Host: "pypi.org", BytesOut: 4},
	}
	if diff := cmp.Diff(want, list); diff != "" || usage != (api.Usage{BytesIn: 3, BytesOut: 4}) {
		t.Errorf("usage %+v, connections (-want +got):\n%s", usage, diff)
	}
}
