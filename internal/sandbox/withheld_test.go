package sandbox

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/sandboxtest"
	"github.com/glovebox-dev/glovebox/internal/withheld"
)

func withholding(t *testing.T, program func(*fakeCell) (cell.Exit, error)) *fixture {
	t.Helper()
	f := newFixture(t, program)
	f.config.Derive = func(purpose string) ([]byte, error) { return []byte("a key of this test for the " + purpose), nil }
	f.config.Within = func(api.Network, api.Network) error { return nil }
	f.bundle = []byte("certificates of the host\n")
	return f
}

func heldTask() *api.Task {
	return &api.Task{
		Code: "x", Network: api.Network{Allow: []string{"a.example.com"}},
		Secrets: []api.SecretRef{{Name: "token", Env: "TOKEN", Hosts: []string{"a.example.com"}}, {Name: "token", Hosts: []string{"a.example.com"}}},
	}
}

// Keys of AWS stay outside as well; what the program finds in the usual variables is of
// use to its SDK, and the key alone is not printed either.
func TestKeysThatSignStayOutside(t *testing.T) {
	f := withholding(t, func(c *fakeCell) (cell.Exit, error) {
		c.report(`{"ok":true,"outputs":{}}`)
		return cell.Exit{}, nil
	})
	task := &api.Task{
		Code: "x", Network: api.Network{Allow: []string{"a.example.com"}}, Env: map[string]string{"AWS_ACCESS_KEY_ID": "of the task"},
		Secrets: []api.SecretRef{{Name: "aws", Env: "AWS", Hosts: []string{"a.example.com"}, Inject: "aws-sigv4"}},
	}
	if _, err := f.run(t, task, nil); err != nil {
		t.Fatal(err)
	}
	variables := strings.Join(f.cell.variables(), "\n")
	for _, want := range []string{"AWS=glovebox-", "AWS_SECRET_ACCESS_KEY=glovebox-", "AWS_ACCESS_KEY_ID=of the task"} {
		if !strings.Contains(variables, want) {
			t.Errorf("without %s: %s", want, variables)
		}
	}
	for _, part := range []string{"wJalrXUtnFEMI/K7MDENG", "a-session-token"} {
		if strings.Contains(variables, part) {
			t.Errorf("%s is in %s", part, variables)
		}
	}
}

// The cell gets placeholders, and an authority beside the certificates of its host.
func TestWithheldSecretsStayOutside(t *testing.T) {
	f := withholding(t, func(c *fakeCell) (cell.Exit, error) {
		c.report(`{"ok":true,"outputs":{}}`)
		return cell.Exit{}, nil
	})
	if _, err := f.run(t, heldTask(), nil); err != nil {
		t.Fatal(err)
	}
	variables := f.cell.variables()
	i := slices.IndexFunc(variables, func(v string) bool { return strings.HasPrefix(v, "TOKEN=glovebox-") })
	if i < 0 || strings.Contains(strings.Join(variables, "\n"), "hunter2") {
		t.Fatalf("the variables are %q", variables)
	}
	_, placeholder, _ := strings.Cut(variables[i], "=")
	for name, entry := range f.cell.entries {
		if strings.Contains(string(entry.content), "hunter2") {
			t.Errorf("%s has the value", name)
		}
	}
	if got := string(f.cell.entries["/run/secrets/token"].content); got != placeholder {
		t.Errorf("the file has %q", got)
	}
	bundle := string(f.cell.entries[cell.CertificatesFile].content)
	if !strings.HasPrefix(bundle, "certificates of the host\n-----BEGIN CERTIFICATE") || strings.Contains(bundle, "PRIVATE") {
		t.Errorf("the bundle is %s", bundle)
	}
}

// trusts reports whether a program with the certificate of one set connects to another.
func trusts(t *testing.T, trusted, server *withheld.Set) bool {
	t.Helper()
	near, far := net.Pipe()
	defer near.Close()
	go func() {
		defer far.Close()
		_ = tls.Server(far, server.At(true, "a.example.com", 443).TLS()).Handshake()
	}()
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(trusted.Certificate())
	return tls.Client(near, &tls.Config{RootCAs: pool, ServerName: "a.example.com"}).Handshake() == nil
}

// Programs of a session trust those that continue it, and no others.
func TestAuthorityOfALineage(t *testing.T) {
	f := withholding(t, nil)
	set := func(lineage string) *withheld.Set {
		s, err := f.Withheld(heldTask(), lineage)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	one, again, other := set("one"), set("one"), set("other")
	if !trusts(t, one, again) || trusts(t, one, other) {
		t.Error("the authority is not that of the lineage")
	}
	if trusts(t, set(""), set("")) {
		t.Error("cells without a lineage have the same authority")
	}
	if none, err := f.Withheld(&api.Task{Code: "x", Secrets: []api.SecretRef{{Name: "token"}}}, "one"); none != nil || err != nil {
		t.Errorf("without hosts: %v, %v", none, err)
	}
	task := heldTask()
	task.Secrets[0].Name = "pem"
	f.config.Secrets = func(string) ([]byte, error) { return []byte("two\nlines of it"), nil }
	_, err := f.Withheld(task, "one")
	sandboxtest.WantError(t, err, api.InvalidTask, "pem", "end of a line")
}
