package realtest

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/registry"

	"github.com/glovebox-dev/glovebox/internal/image"
)

// peer is Docker, which builds the same Dockerfiles. Images of ours reach it by
// a registry.
type peer struct {
	s        *image.Service
	registry string
	base     string // the reference of the base of all cases
	docker   string // the program; empty where there is no daemon
}

// newPeer serves a registry and puts the base into it.
func newPeer(t *testing.T, s *image.Service, base *image.Image) *peer {
	t.Helper()
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	p := &peer{s: s, registry: strings.TrimPrefix(server.URL, "http://")}
	p.base = p.push(t, base, "base")
	// The newer clients build with a plugin; old ones have BuildKit in the daemon.
	for _, program := range []string{"/usr/bin/docker", "docker"} {
		cmd := exec.Command(program, "build", "-q", "-")
		cmd.Env, cmd.Stdin = append(os.Environ(), "DOCKER_BUILDKIT=1"), strings.NewReader("FROM scratch\nCMD [\"x\"]\n")
		if out, err := cmd.CombinedOutput(); err == nil {
			p.docker = program
			break
		} else {
			t.Logf("%s builds nothing here: %s", program, out)
		}
	}
	return p
}

func (p *peer) push(t *testing.T, img *image.Image, name string) string {
	t.Helper()
	ref, err := p.s.Push(t.Context(), img.ID, p.registry+"/"+name+":1", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

func (p *peer) run(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), p.docker, args...)
	cmd.Env = append(os.Environ(), "DOCKER_BUILDKIT=1", "BUILDKIT_PROGRESS=plain")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("docker %q: %v\n%s", args, err, errs.String())
	}
	return out.Bytes()
}

// compare holds an image to what Docker makes of the same directory.
func (p *peer) compare(t *testing.T, c dockerCase, dir string, args map[string]string, img *image.Image) {
	t.Helper()
	if p.docker == "" || c.newer {
		t.Log("there is no docker to compare with")
		return
	}
	ours := p.push(t, img, "ours-"+img.ID[7:19])
	p.run(t, "pull", "-q", ours)
	p.run(t, "pull", "-q", p.base)
	build := []string{"build", "-q", "--network=none", "--target", c.target}
	for name, value := range args {
		build = append(build, "--build-arg", name+"="+value)
	}
	theirs := strings.TrimSpace(string(p.run(t, append(build, dir)...)))
	defer p.run(t, "rmi", "-f", ours, theirs)
	if diff := cmp.Diff(p.config(t, theirs), p.config(t, ours)); diff != "" {
		t.Errorf("configuration (-docker +ours):\n%s", diff)
	}
	want := p.files(t, theirs)
	for _, stub := range c.stubs {
		delete(want, stub)
	}
	if diff := cmp.Diff(want, p.files(t, ours)); diff != "" {
		t.Errorf("files (-docker +ours):\n%s", diff)
	}
}

func (p *peer) config(t *testing.T, ref string) map[string]any {
	t.Helper()
	var all []struct{ Config map[string]any }
	if err := json.Unmarshal(p.run(t, "image", "inspect", ref), &all); err != nil {
		t.Fatal(err)
	}
	kept := map[string]any{}
	for _, name := range []string{"Env", "Cmd", "Entrypoint", "WorkingDir", "User", "ExposedPorts", "Volumes", "Healthcheck", "StopSignal", "Shell", "OnBuild", "Labels"} {
		if v := all[0].Config[name]; v != nil {
			kept[name] = v
		}
	}
	if labels, ok := kept["Labels"].(map[string]any); ok {
		delete(labels, "dev.glovebox.lock")
		if len(labels) == 0 {
			delete(kept, "Labels")
		}
	}
	return kept
}

// files lists what a container of the image begins with: type, mode, owner,
// and the target or the digest of the content.
func (p *peer) files(t *testing.T, ref string) map[string]string {
	t.Helper()
	id := strings.TrimSpace(string(p.run(t, "create", ref, "none")))
	defer p.run(t, "rm", id)
	files := map[string]string{}
	for r := tar.NewReader(bytes.NewReader(p.run(t, "export", id))); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.New()
		if _, err := io.Copy(sum, r); err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(h.Name, "/")
		if !ofContainer(name) {
			files[name] = fmt.Sprintf("%c %o %d:%d %s %x", h.Typeflag, h.Mode, h.Uid, h.Gid, h.Linkname, sum.Sum(nil)[:6])
		}
	}
}

// ofContainer reports whether Docker makes a file in every container.
func ofContainer(name string) bool {
	top, _, _ := strings.Cut(name, "/")
	switch name {
	case ".dockerenv", "etc/hostname", "etc/hosts", "etc/resolv.conf", "etc/mtab":
		return true
	}
	return top == "dev" || top == "proc" || top == "sys"
}
