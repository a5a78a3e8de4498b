package image

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

const registryPassword = "p4ss-c4n4ry"

// realRegistry is Debian's docker-registry on loopback, with a password.
func realRegistry(t *testing.T) string {
	t.Helper()
	server, err := exec.LookPath("docker-registry")
	if err != nil {
		t.Skip("docker-registry is not installed")
	}
	dir := t.TempDir()
	t.Setenv("DOCKER_CONFIG", dir)
	hash := exec.Command("htpasswd", "-Bni", "me")
	hash.Stdin = strings.NewReader(registryPassword)
	users, err := hash.Output()
	if err != nil {
		t.Skip("htpasswd is not installed (package apache2-utils)")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host := l.Addr().String()
	l.Close()
	config := fmt.Sprintf("version: 0.1\nstorage: {filesystem: {rootdirectory: %[1]s/data}}\nhttp: {addr: %[2]q, secret: x}\nauth: {htpasswd: {realm: test, path: %[1]s/users}}\nlog: {level: error}\n", dir, host)
	for name, data := range map[string][]byte{"users": users, "config.yml": []byte(config)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(server, "serve", filepath.Join(dir, "config.yml"))
	cmd.Env = []string{"OTEL_TRACES_EXPORTER=none"}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	for tick := time.NewTicker(20 * time.Millisecond); ; <-tick.C {
		if c, err := net.Dial("tcp", host); err == nil {
			c.Close()
			return host
		}
	}
}

func TestRegistry(t *testing.T) {
	host := realRegistry(t)
	base := writeBase(t, oci.Config{Env: []string{"A=b"}}, debianLike())
	service := func(cells *fakeCells) *Service {
		s := fakeService(t, t.TempDir(), cells)
		s.config.Secret = func(name string) ([]byte, error) {
			switch name {
			case "good":
				return []byte("me:" + registryPassword + "\n"), nil
			case "bad":
				return []byte("me:wrong-c4n4ry"), nil
			case "formless":
				return []byte("c4n4ry"), nil
			}
			return nil, api.Errorf(api.SecretNotFound, "no secret %q", name)
		}
		return s
	}
	spec := api.ImageSpec{Base: base, Commands: []string{"x"}, Registry: host + "/team", RegistrySecret: "good"}
	first := service(&fakeCells{})
	built := ensure(t, first, spec)

	// Another machine finds the image there and builds nothing.
	cells := &fakeCells{}
	other := service(cells)
	pulled := ensure(t, other, spec)
	if pulled.ID != built.ID || cells.started.Load() != 0 || pulled.Env[0] != "A=b" {
		t.Errorf("pulled %+v with %d cells, want %s with none", pulled, cells.started.Load(), built.ID)
	}
	a, err := os.ReadFile(built.RootFS)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(pulled.RootFS)
	if err != nil || !bytes.Equal(a, b) {
		t.Errorf("the pulled root file system is another one (%v)", err)
	}

	// The same image as a prebuilt one, and pushed under a name of its own.
	ref, err := first.Push(t.Context(), built.ID, host+"/team/own:v1", "good", nil)
	if err != nil || !regexp.MustCompile("^"+regexp.QuoteMeta(host)+"/team/own@sha256:[0-9a-f]{64}$").MatchString(ref) {
		t.Fatalf("push: %q, %v", ref, err)
	}
	prebuilt := ensure(t, other, api.ImageSpec{Ref: ref, RegistrySecret: "good"})
	if !strings.HasSuffix(ref, string(prebuilt.Lock.Base.Digest)) || prebuilt.RootFS != pulled.RootFS || prebuilt.Python != "/usr/bin/python3" || prebuilt.Lock.Base.Digest == "" {
		t.Errorf("prebuilt %+v", prebuilt)
	}

	for name, tt := range map[string]struct {
		spec api.ImageSpec
		code api.Code
	}{
		"no password":    {api.ImageSpec{Ref: host + "/team/own:v2"}, api.RegistryDenied},
		"wrong password": {api.ImageSpec{Ref: host + "/team/own:v3", RegistrySecret: "bad"}, api.RegistryDenied},
		"formless":       {api.ImageSpec{Ref: host + "/team/own:v3", RegistrySecret: "formless"}, api.RegistryDenied},
		"no secret":      {api.ImageSpec{Ref: host + "/team/own:v3", RegistrySecret: "none"}, api.SecretNotFound},
		"no image":       {api.ImageSpec{Ref: host + "/team/own:v4", RegistrySecret: "good"}, api.ImageNotFound},
		"no registry":    {api.ImageSpec{Ref: "127.0.0.1:1/x:y"}, api.RegistryUnavailable},
		"no file":        {api.ImageSpec{Ref: "oci:/nowhere"}, api.ImageNotFound},
	} {
		_, err := other.Ensure(t.Context(), tt.spec, nil)
		if !errors.Is(err, &api.Error{Code: tt.code}) || strings.Contains(err.Error(), "c4n4ry") {
			t.Errorf("%s: %v, want %s without a password", name, err, tt.code)
		}
	}
	for _, s := range []*Service{first, other} {
		for _, f := range listFiles(t, s.store.dir) {
			text, err := os.ReadFile(filepath.Join(s.store.dir, f))
			if err != nil || bytes.Contains(text, []byte("c4n4ry")) {
				t.Errorf("%s has the password (%v)", f, err)
			}
		}
	}
}

func TestByDigest(t *testing.T) {
	for ref, want := range map[string]string{
		"host:5000/team/tools:1": "host:5000/team/tools@sha256:d", "host:5000/tools": "host:5000/tools@sha256:d",
		"tools:1": "tools@sha256:d", "ghcr.io/my-org/tools@sha256:old": "ghcr.io/my-org/tools@sha256:d", "host/tools:1@sha256:old": "host/tools@sha256:d",
	} {
		if got := byDigest(ref, "sha256:d"); got != want {
			t.Errorf("%s by digest is %s, want %s", ref, got, want)
		}
	}
}

// Credentials go to the registry that they are for and to no other.
func TestBaseAuth(t *testing.T) {
	auth := oci.Options{Username: "u", Password: "p"}
	for _, tt := range []struct {
		base, registry string
		want           bool
	}{
		{"", "", false}, {"", "r.example/x", false}, {"python:3.12", "r.example/x", false}, {"r.example/base:1", "r.example/x", true},
		{"r.example/base:1", "", true}, {"other.example/base:1", "r.example", false}, {"localhost:5000/b", "localhost:5000/c", true},
	} {
		o := order{spec: Spec{Base: tt.base}, registry: tt.registry, auth: auth}
		if got := o.baseAuth().Username != ""; got != tt.want {
			t.Errorf("base %q with registry %q: credentials %v, want %v", tt.base, tt.registry, got, tt.want)
		}
	}
}
