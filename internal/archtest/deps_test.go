package archtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the generated files again instead of comparing them")

// listed is what go list says of one package.
type listed struct {
	ImportPath string
	Standard   bool
	Module     *struct{ Path, Version, Dir string }
	Error      *struct{ Err string }
}

// TestFreshDependencyLists compares the packages that each binary links with
// the list beside its source.
func TestFreshDependencyLists(t *testing.T) {
	for _, b := range binaries {
		var list bytes.Buffer
		fmt.Fprintf(&list, "# Packages that %s links. Written by: make generate\n", b.pkg)
		for _, p := range linked(t, "./"+b.pkg) {
			if own := strings.HasPrefix(p.ImportPath, module); !own && (b.std || !p.Standard) && !internalStd(p) {
				fmt.Fprintln(&list, p.ImportPath)
			}
		}
		compare(t, filepath.Join(b.pkg, "deps.txt"), list.Bytes())
	}
}

// TestFreshDependencyDocument compares docs/DEPENDENCIES.md with the modules
// that are linked or that tests use, and their licences.
func TestFreshDependencyDocument(t *testing.T) {
	compare(t, "docs/DEPENDENCIES.md", dependencyDocument(t))
}

func dependencyDocument(t *testing.T) []byte {
	versions := map[string]listed{}
	program := map[string]bool{}
	for _, b := range binaries {
		for _, p := range linked(t, "./"+b.pkg) {
			if p.Module != nil && p.Module.Path != module {
				versions[p.Module.Path] = p
				program[p.Module.Path] = true
			}
		}
	}
	for _, p := range linked(t, "-test", "./...") {
		if p.Module != nil && p.Module.Path != module {
			versions[p.Module.Path] = p
		}
	}
	var doc bytes.Buffer
	fmt.Fprintln(&doc, "# Dependencies\n\nWritten by `make generate` from go.mod and the rules in `internal/archtest`.\n\n## Named in our code")
	fmt.Fprintln(&doc, "| module | version | licence | home | why |\n|---|---|---|---|---|")
	for _, path := range sorted(versions) {
		if h, ok := homeOf(path); ok {
			fmt.Fprintf(&doc, "| %s | %s | %s | %s | %s |\n", path, versions[path].Module.Version, licence(t, versions[path].Module.Dir), homeText(h), h.reason)
		}
	}
	fmt.Fprintln(&doc, "\n## Brought by those\n\n| module | version | licence | linked into |\n|---|---|---|---|")
	for _, path := range sorted(versions) {
		if _, ok := homeOf(path); ok {
			continue
		}
		into := "tests"
		if program[path] {
			into = "the program"
		}
		fmt.Fprintf(&doc, "| %s | %s | %s | %s |\n", path, versions[path].Module.Version, licence(t, versions[path].Module.Dir), into)
	}
	return doc.Bytes()
}

func homeText(h home) string {
	switch {
	case h.tests:
		return "tests"
	case slices.Contains(h.pkgs, "*"):
		return "anywhere but api and wire"
	}
	return strings.Join(h.pkgs, ", ")
}

// licences are phrases that tell one licence text from another, most specific
// first, with what may be done with it: only in tests, or in the program too.
var licences = []licenceText{
	{"Apache-2.0", "Apache License", false},
	{"MPL-2.0", "Mozilla Public License", true},
	{"BSD-3-Clause", "Neither the name of", false},
	{"BSD-3-Clause", "names of its contributors may", false},
	{"ISC", "Permission to use, copy, modify, and/or distribute", false},
	{"ISC", "Permission to use, copy, modify, and distribute this software for any purpose", false},
	{"MIT", "Permission is hereby granted, free of charge", false},
	{"BSD-2-Clause", "Redistributions in binary form", false},
}

type licenceText struct {
	name, phrase string
	testsOnly    bool
}

// TestLicences refuses a module whose licence is unknown, or not one that a
// program under a permissive licence can link.
func TestLicences(t *testing.T) {
	for _, b := range binaries {
		for _, p := range linked(t, "./"+b.pkg) {
			if p.Module == nil || p.Module.Path == module {
				continue
			}
			name := licence(t, p.Module.Dir)
			i := slices.IndexFunc(licences, func(l licenceText) bool { return l.name == name })
			if i < 0 || licences[i].testsOnly {
				t.Errorf("%s links %s, whose licence is %q", b.pkg, p.Module.Path, name)
			}
		}
	}
}

func licence(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "[LC][IO][CP]*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		text := strings.Join(strings.Fields(string(data)), " ")
		for _, l := range licences {
			if strings.Contains(text, l.phrase) {
				return l.name
			}
		}
	}
	return "unknown"
}

// linked lists the packages that args, a pattern for go list, depend on for
// the reference platform, linux on amd64, so that the answer is the same
// everywhere.
func linked(t *testing.T, args ...string) []listed {
	t.Helper()
	return linkedOn(t, "linux", args...)
}

// linkedOn lists them for another operating system.
func linkedOn(t *testing.T, system string, args ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-e", "-deps", "-json=ImportPath,Standard,Module,Error"}, args...)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	var pkgs []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
	slices.SortFunc(pkgs, func(a, b listed) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return pkgs
}

// internalStd reports whether p is a part of the standard library that moves
// with each Go release and says nothing about us.
func internalStd(p listed) bool {
	return p.Standard && (strings.Contains(p.ImportPath, "internal") || strings.HasPrefix(p.ImportPath, "vendor/"))
}

func compare(t *testing.T, name string, want []byte) {
	t.Helper()
	file := filepath.Join(root, name)
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("%s is out of date; look at what changed, then run make generate (-want +got):\n%s", name, diff)
	}
}

func sorted[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
