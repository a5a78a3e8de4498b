package attack

import (
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAttackB01_PackageIsAnOption(t *testing.T) {
	for _, requirement := range []string{
		"--index-url http://evil.example", "-r /etc/passwd", "-e .", "git+file:///etc", "file:///etc/passwd", "./here", "/etc/passwd", "../up",
		"six; rm -rf /", "six\nrequests", "$(id)", "`id`", "six | sh", "six && id", "six @ https://evil.example/six.whl", "", " ", "six==1.0 --hash=x",
	} {
		e := glovebox(t, "run", "--json", "-p", requirement, "-c", "pass")
		e.fails(t, "invalid_package", "")
	}
}

func TestAttackB02_SystemPackageIsAnOption(t *testing.T) {
	for _, name := range []string{"-o=Dir::Etc=x", "--allow-unauthenticated", "tree curl", "/etc/passwd", "./x.deb", "tree;id", "$(id)", "tree\ncurl", "tree/../../x", ""} {
		e := glovebox(t, "run", "--json", "--apt", name, "-c", "pass")
		e.fails(t, "invalid_package", "")
	}
}

// TestAttackB03_HostileBuild runs a build step that looks around, as a
// malicious setup.py would.
func TestAttackB03_HostileBuild(t *testing.T) {
	canary := filepath.Join(t.TempDir(), "canary")
	if err := os.WriteFile(canary, []byte("of the host"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GLOVEBOX_TEST_CANARY", "environment of the host")
	step := strings.ReplaceAll(`
exec > /found
cat CANARY HOME/secrets/* 2>/dev/null
env | grep -i canary
ls /run/secrets /var/run/docker.sock 2>/dev/null
python3 - <<'END'
import socket, urllib.request
for host in ("1.1.1.1", "169.254.169.254", "127.0.0.1"):
    try: socket.create_connection((host, 80), 3); print("reached", host)
    except OSError: pass
for url in ("http://169.254.169.254/", "http://127.0.0.1:22/"):
    try: print("reached", url, urllib.request.urlopen(url, timeout=10).status)
    except OSError: pass
END
true
`, "CANARY", canary)
	step = strings.ReplaceAll(step, "HOME", home)
	e := glovebox(t, "run", "--setup", step, "-o", "found:str", "-c", "found = open('/found').read()").succeeds(t)
	if e.stdout != "{\"found\":\"\"}\n" {
		t.Errorf("the build found %s", e.stdout)
	}
	e = glovebox(t, "run", "--json", "--build-network", "none", "--setup", "curl -s http://example.com/ || true", "-c", "pass")
	e.fails(t, "build_failed", "refused a connection to example.com")
}

func TestAttackB06_FailedBuildLeavesNothing(t *testing.T) {
	mark := "glovebox-mark-" + strings.ToLower(rand.Text())
	glovebox(t, "run", "--setup", "echo "+mark+"-good", "-c", "pass").succeeds(t)
	e := glovebox(t, "run", "--json", "-p", mark, "-c", "pass")
	e.fails(t, "invalid_package", mark)
	e = glovebox(t, "run", "--json", "--setup", "echo "+mark+"-bad; exit 3", "-c", "pass")
	e.fails(t, "build_failed", "")
	made := imagesAbout(t, mark)
	if len(made) != 1 || !strings.Contains(made[0], mark+"-good") {
		t.Errorf("there are %d images: %s", len(made), made)
	}
}

// imagesAbout describes the images whose records have a mark. Other tests build images at
// the same time.
func imagesAbout(t *testing.T, mark string) (about []string) {
	t.Helper()
	var images []struct{ ID string }
	if err := json.Unmarshal([]byte(glovebox(t, "image", "ls", "--json").succeeds(t).stdout), &images); err != nil {
		t.Fatal(err)
	}
	for _, each := range images {
		if e := glovebox(t, "image", "inspect", each.ID); strings.Contains(e.stdout, mark) {
			about = append(about, e.stdout)
		}
	}
	return about
}
