package attack

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

func secretCases() []Case {
	return []Case{
		{Name: "S01_nowhere_in_clear", Area: Secrets, Tries: "print a secret, raise it, and find it in anything that is written", Attack: nowhereInClear},
		{Name: "S01_command_line", Area: Secrets, Tries: "find the secret of a run in the processes of this host", Attack: commandLine},
		{Name: "S03_echoed_by_the_code", Area: Secrets, Tries: "print a secret in pieces, in base64 and in hexadecimal", Attack: echoed},
		{Name: "S04_of_another_run", Area: Secrets, Tries: "find a secret from a run that was not given it", Attack: ofAnotherRun},
	}
}

// secret stores a new secret.
func (b *Bench) secret(ctx context.Context) (string, error) {
	canary := newCanary()
	return canary, b.SetSecret(ctx, canary)
}

func nowhereInClear(ctx context.Context, b *Bench) error {
	canary, err := b.secret(ctx)
	if err != nil {
		return err
	}
	out, err := b.Run(ctx, Job{Secret: true, Code: "import os, sys\nprint(os.environ['KEY']); print(os.environ['KEY'], file=sys.stderr)\nraise ValueError('it is ' + os.environ['KEY'])"})
	if err == nil {
		return errors.New("the program ended well, and should have raised an exception")
	}
	if !errors.Is(err, api.PythonException) && !errors.Is(err, api.NonzeroExit) {
		return err
	}
	if strings.Contains(out.Stdout+out.Stderr+err.Error(), canary) {
		return broken("the secret is in what the run gave")
	}
	return keptNowhere(b.Kept(), canary)
}

// keptNowhere looks for a text in each file of a directory, but for those that are
// links to elsewhere.
func keptNowhere(dir, canary string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return nil // files come and go
		}
		if fileHas(path, []byte(canary)) {
			return broken("the secret is in %s", strings.TrimPrefix(path, dir+"/"))
		}
		return nil
	})
}

// fileHas reads a file in parts that overlap.
func fileHas(path string, text []byte) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	buf, kept := make([]byte, 1<<20), 0
	for {
		n, err := f.Read(buf[kept:])
		if bytes.Contains(buf[:kept+n], text) {
			return true
		}
		if err != nil {
			return false
		}
		end := kept + n
		kept = copy(buf, buf[max(0, end-len(text)+1):end])
	}
}

// commandLine looks at every process while a run holds the secret.
func commandLine(ctx context.Context, b *Bench) error {
	canary, err := b.secret(ctx)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() {
		_, err := b.Run(ctx, Job{Secret: true, Code: "import os, time; time.sleep(0.5); assert os.environ['KEY']"})
		ended <- err
	}()
	found := ""
	for {
		select {
		case err := <-ended:
			if err != nil || found == "" {
				return err
			}
			return broken("%s has the secret", found)
		default:
			if found == "" {
				found = processWith(canary)
			}
		}
	}
}

// processWith returns what of a process has a text in it, or nothing.
func processWith(text string) string {
	for _, pattern := range []string{"/proc/[0-9]*/cmdline", "/proc/[0-9]*/environ"} {
		files, _ := filepath.Glob(pattern) // the pattern is right
		for _, file := range files {
			if f, err := os.Open(file); err == nil {
				data, _ := io.ReadAll(io.LimitReader(f, 1<<20)) // a process may have ended
				f.Close()
				if bytes.Contains(data, []byte(text)) {
					return file
				}
			}
		}
	}
	return ""
}

func echoed(ctx context.Context, b *Bench) error {
	canary, err := b.secret(ctx)
	if err != nil {
		return err
	}
	out, err := b.Run(ctx, Job{Secret: true, Code: `
import base64, os, time
secret = os.environ["KEY"].encode()
for i in range(0, len(secret), 5):
    os.write(1, b"." + secret[:i]); time.sleep(0.002); os.write(1, secret[i:])
for byte in secret:
    os.write(1, bytes([byte])); time.sleep(0.002)
os.write(1, b"\n" + base64.b64encode(secret) + b"\n" + secret.hex().encode() + b"\n")
`})
	if err != nil {
		return err
	}
	for _, form := range []string{canary, base64.StdEncoding.EncodeToString([]byte(canary)), hex.EncodeToString([]byte(canary))} {
		if strings.Contains(out.Stdout, form) {
			return broken("the secret is in what the run printed, as %s...", form[:8])
		}
	}
	if !strings.Contains(out.Stdout, "[redacted]") {
		return fmt.Errorf("the program printed %q, which has no place of the secret", head(out.Stdout))
	}
	return nil
}

func ofAnotherRun(ctx context.Context, b *Bench) error {
	canary, err := b.secret(ctx)
	if err != nil {
		return err
	}
	out, err := b.Run(ctx, Job{Code: `
import glob, os
print(list(os.environ.values()))
for path in glob.glob("/run/secrets/*") + glob.glob("/proc/[0-9]*/environ"):
    try: print(open(path, "rb").read())
    except OSError: pass
`})
	if err == nil && strings.Contains(out.Stdout, canary) {
		return broken("a run that was not given the secret found it")
	}
	return err
}
