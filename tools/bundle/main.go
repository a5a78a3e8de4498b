// Command bundle makes the libraries of the page into one file each, in
// internal/server/page/static: what package-lock.json pins, as npm installs it.
//
// It writes bundles.sum beside them, the digests of what they were made of and of what
// came of it. Where those hold, there is nothing to do, and npm is not needed.
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

const (
	here   = "tools/bundle"
	static = "internal/server/page/static"
)

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatalf("bundle: %v", err)
	}
}

func run() error {
	if err := os.Chdir(filepath.FromSlash(root())); err != nil {
		return err
	}
	if fresh() {
		return nil
	}
	npm := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent")
	npm.Dir, npm.Stderr = here, os.Stderr
	if err := npm.Run(); err != nil {
		return fmt.Errorf("npm ci: %w", err)
	}
	if err := build("editor.js", "codemirror.js"); err != nil {
		return err
	}
	if err := build("terminal.js", "xterm.js"); err != nil {
		return err
	}
	if err := build("node_modules/@xterm/xterm/css/xterm.css", "xterm.css"); err != nil {
		return err
	}
	if err := writeLicences(); err != nil {
		return err
	}
	return writeSums()
}

// root is the directory of the project: make calls this in it, or in tools.
func root() string {
	if _, err := os.Stat(here); err == nil {
		return "."
	}
	return ".."
}

func build(from, to string) error {
	path, err := filepath.Abs(filepath.Join(here, from))
	if err != nil {
		return err
	}
	sources := filepath.Join(filepath.Dir(path), "node_modules/@xterm/xterm/src")
	out, err := filepath.Abs(filepath.Join(static, to))
	if err != nil {
		return err
	}
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{path}, Outfile: out, Bundle: true, Write: true, AllowOverwrite: true,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		Format: api.FormatESModule, Target: api.ES2022, Platform: api.PlatformBrowser, Charset: api.CharsetUTF8,
		LegalComments: api.LegalCommentsNone, // all licences are in licenses.txt
		NodePaths:     []string{sources},
		TsconfigRaw:   `{"compilerOptions": {"experimentalDecorators": true, "useDefineForClassFields": false}}`,
		Plugins:       []api.Plugin{styles()},
	})
	if len(result.Errors) > 0 {
		return fmt.Errorf("%s: %s", from, strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), "\n"))
	}
	return nil
}
