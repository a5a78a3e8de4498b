package image

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestHighestIDs(t *testing.T) {
	for text, want := range map[string]int{
		"         0          0 4294967295\n":                  freeIDs,
		"0 100000 65536\n":                                    0, // an ordinary container: all are in use
		"0 100000 131071\n":                                   0, // one too few
		"0 100000 131072\n":                                   65536,
		"0 1000 1\n1 100000 65536\n70000 300000 100000\n":     70000 + 100000 - 65536,
		"0 0 65536\n1879100000 1879100000 65536\nnonsense\n":  0, // the map covers only a part of the unused range
		"0 0 65536\n1879000000 1879000000 100000000\nx y z\n": freeIDs,
	} {
		got, ok := highestIDs(strings.NewReader(text))
		if got != want || ok != (want != 0) {
			t.Errorf("%q gives %d, %v; want %d", text, got, ok, want)
		}
	}
}

// B08: what a Debian package runs as root while a base is made is nobody on
// the host, so it cannot even read what root alone may.
func TestPackagesOfTheBaseAreNobodyOnTheHost(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("an ordinary user has no root to give away")
	}
	ids, err := rootIDs()
	if err != nil {
		t.Fatal(err)
	}
	private := filepath.Join(t.TempDir(), "private")
	if err := os.WriteFile(private, []byte("canary"), 0o600); err != nil {
		t.Fatal(err)
	}
	tmp, remove, err := unshareTemp(t.Context(), "/tmp", ids)
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	cmd := exec.Command("/bin/sh", "-c", `id -u; id -G; chown 42 "$1/mine" && echo changed; echo x > "$2"; cat "$2"`, "sh", tmp, private)
	if err := exec.Command("/bin/sh", "-c", `: > "$1" && chown --reference="$2" "$1"`, "sh", filepath.Join(tmp, "mine"), tmp).Run(); err != nil {
		t.Fatal(err)
	}
	cmd.SysProcAttr = confine(ids)
	var out bytes.Buffer
	cmd.Stdout = &out
	_ = cmd.Run() // its last command is to fail
	if out.String() != "0\n0\nchanged\n" {
		t.Errorf("it says %q, want that it is root with its own files and without those of the host", out.String())
	}
	if text, err := os.ReadFile(private); err != nil || string(text) != "canary" {
		t.Errorf("the private file is %q, %v", text, err)
	}
}
