package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The files that bundles.sum is about.
var (
	sources = []string{"tools/go.sum", here + "/main.go", here + "/styles.go", here + "/editor.js", here + "/terminal.js", here + "/package.json", here + "/package-lock.json"}
	made    = []string{static + "/codemirror.js", static + "/xterm.js", static + "/xterm.css", static + "/licenses.txt"}
)

const sumsFile = static + "/bundles.sum"

// sums returns the digests of all files, each with its path, as sha256sum writes them.
func sums() ([]byte, error) {
	var b bytes.Buffer
	for _, name := range slices.Concat(sources, made) {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(text), name)
	}
	return b.Bytes(), nil
}

// fresh reports whether nothing has changed since the bundles were made.
func fresh() bool {
	now, err := sums()
	if err != nil {
		return false
	}
	then, err := os.ReadFile(sumsFile)
	return err == nil && bytes.Equal(now, then)
}

func writeSums() error {
	now, err := sums()
	if err != nil {
		return err
	}
	return os.WriteFile(sumsFile, now, 0o644)
}

// writeLicences writes the licences of all that is bundled into one file.
func writeLicences() error {
	var names []string
	for _, pattern := range []string{"*/package.json", "@*/*/package.json"} {
		found, err := filepath.Glob(filepath.Join(here, "node_modules", pattern))
		if err != nil {
			return err
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString("The page contains these libraries.\n")
	for _, name := range names {
		dir := filepath.Dir(name)
		text, err := os.ReadFile(filepath.Join(dir, "LICENSE"))
		if err != nil {
			return err
		}
		module, _ := filepath.Rel(filepath.Join(here, "node_modules"), dir) // it is below
		fmt.Fprintf(&b, "\n\n%s\n\n%s\n", filepath.ToSlash(module), strings.TrimSpace(string(text)))
	}
	return os.WriteFile(static+"/licenses.txt", []byte(b.String()), 0o644)
}
