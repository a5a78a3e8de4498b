package contexts

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// fakePip installs a module where pip would, and says what it was asked.
const fakePip = `
import os, sys, sysconfig
base = os.environ["PIP_PREFIX"]
place = sysconfig.get_path("purelib", sysconfig.get_preferred_scheme("prefix"), {"base": base, "platbase": base})
print("pip", *sys.argv[1:], flush=True)
if sys.argv[2] == "nothing":
    sys.exit(3)
os.makedirs(place, exist_ok=True)
with open(os.path.join(place, sys.argv[2] + ".py"), "w") as f:
    f.write("value = 42")
`

// restart is what IPython says of packages that were there before.
const restart = "Note: you may need to restart the kernel to use updated packages.\n"

func TestPip(t *testing.T) {
	library := t.TempDir()
	if err := os.Mkdir(filepath.Join(library, "pip"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"__init__.py": "", "__main__.py": fakePip} {
		if err := os.WriteFile(filepath.Join(library, "pip", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name    string
		plain   bool
		note    string
		failure string
	}{
		{"plain", true, "", "o:pip install nothing\n|!:RuntimeError: pip ended with status 3, and said why"},
		{"ipython", false, restart, "o:pip install nothing\n" + restart},
	} {
		t.Run(test.name, func(t *testing.T) {
			python := "python3"
			if needsPython(t); !test.plain {
				python = withIPython(t)
			}
			env := map[string]string{"HOME": t.TempDir(), "PYTHONPATH": library}
			c := openWith(t, python, api.ContextSpec{Plain: test.plain, Env: env}, Options{})
			// Root may write everywhere, and a user of a session may not.
			run(t, c, "import os; os.access = lambda *what: False\nimport sys; sys.modules['glovebox_context.installing'].prepare() if 'glovebox_context.installing' in sys.modules else None")
			if got := joined(run(t, c, "%pip install answer\nimport answer\nanswer.value")); got != "o:pip install answer\n"+test.note+"|r:42" {
				t.Errorf("got %q", got)
			}
			if got := run(t, c, "import subprocess; subprocess.run([sys.executable, '-c', 'import answer'], check=True).returncode"); got.said() != "r:0" {
				t.Errorf("a program that the code starts: %q", got.said())
			}
			if got := run(t, c, "%pip install nothing"); joined(got) != test.failure {
				t.Errorf("got %q, want %q", joined(got), test.failure)
			}
			if got := run(t, c, "text = '''\n%pip install nothing\n'''\nlen(text)"); got.said() != "r:22" {
				t.Errorf("in a text: %q", got.said())
			}
		})
	}
}

func TestNoPip(t *testing.T) {
	needsPython(t)
	c := openWith(t, "python3", api.ContextSpec{Plain: true}, Options{})
	want := "!:ModuleNotFoundError: the image has no pip: declare the packages of the session, or pip among them"
	if got := run(t, c, "import sys; sys.modules['pip'] = None\n%pip install answer"); got.said() != want {
		t.Errorf("got %q, want %q", got.said(), want)
	}
}
