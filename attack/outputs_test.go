package attack

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAttackO01_OutputIsALinkToTheHost(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("of the host"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, code := range map[string]string{
		"file":          `import os; os.symlink("` + secret + `", "/var/outputs/out")`,
		"passwd":        `import os; os.symlink("/etc/passwd", "/var/outputs/out")`,
		"relative":      `import os; os.symlink("../../../../../../../` + secret + `", "/var/outputs/out")`,
		"loop":          `import os; os.symlink("out", "/var/outputs/out")`,
		"link to a dir": `import os; os.symlink("/", "/var/outputs/out")`,
	} {
		t.Run(name, func(t *testing.T) {
			for _, kind := range []string{"File", "str", "Dir"} {
				e := glovebox(t, "run", "--json", "--verbatim", "-o", "out:"+kind, "-c", code)
				e.fails(t, "bad_output", "out")
				if strings.Contains(e.stdout, "of the host") {
					t.Errorf("the link was followed: %s", e.stdout)
				}
			}
		})
	}
}

func TestAttackO01_LinkInsideADirectory(t *testing.T) {
	e := glovebox(t, "run", "--json", "--verbatim", "-o", "out:Dir", "-c",
		`import os; os.makedirs("/var/outputs/out/a", exist_ok=True); os.symlink("/etc", "/var/outputs/out/a/etc")`)
	e.fails(t, "bad_output", "out")
}

func TestAttackO03_OutputIsNoFile(t *testing.T) {
	for name, code := range map[string]string{
		"fifo":   `import os; os.mkfifo("/var/outputs/out")`,
		"socket": `import socket; socket.socket(socket.AF_UNIX).bind("/var/outputs/out")`,
	} {
		t.Run(name, func(t *testing.T) {
			glovebox(t, "run", "--json", "--verbatim", "-o", "out:File", "-c", code).fails(t, "bad_output", "out")
		})
	}
}

func TestAttackO04_NamesInADirectory(t *testing.T) {
	for name, code := range map[string]string{
		"newline":    `dir + "/a\nb"`,
		"not UTF-8":  `dir.encode() + b"/\xff"`,
		"case clash": `dir + "/a", "w"); open(dir + "/A"`,
	} {
		t.Run(name, func(t *testing.T) {
			full := `import os; dir = "/var/outputs/out"; os.makedirs(dir, exist_ok=True); open(` + code + `, "w")`
			glovebox(t, "run", "--json", "--verbatim", "-o", "out:Dir", "-c", full).fails(t, "bad_output", "out")
		})
	}
}

func TestAttackO06_OutputOfAnotherType(t *testing.T) {
	for _, row := range []struct{ declared, code, want string }{
		{"int", `out = "abc"`, "bad_output"},
		{"int", `out = True`, "bad_output"},
		{"int", `out = 1.5`, "bad_output"},
		{"int", `out = float("nan")`, "bad_output"},
		{"bool", `out = 1`, "bad_output"},
		{"str", `out = b"x"`, "bad_output"},
		{"list[int]", `out = [1, "2"]`, "bad_output"},
		{"dict[str, int]", `out = {1: 1}`, "bad_output"},
		{"int", `pass`, "missing_output"},
		{"int", `out = 1; del out`, "missing_output"},
	} {
		t.Run(row.declared+" "+row.code, func(t *testing.T) {
			glovebox(t, "run", "--json", "-o", "out:"+row.declared, "-c", row.code).fails(t, row.want, "out")
		})
	}
	e := glovebox(t, "run", "-o", "out:int", "-c", "out = 10**400").succeeds(t)
	if want := `{"out":1` + strings.Repeat("0", 400) + "}\n"; e.stdout != want {
		t.Errorf("10**400 came as %.500s", e.stdout)
	}
}

func TestAttackO06_ResultFileIsForged(t *testing.T) {
	for name, code := range map[string]string{
		"rubbish":   `b"\xff\x00{"`,
		"nested":    `b"[" * 1000000`,
		"other run": `b'{"ok": true, "outputs": {"other": 1}}'`,
		"link":      ``,
	} {
		t.Run(name, func(t *testing.T) {
			full := `
import glob, json, os
job = json.load(open("/run/glovebox/job.json"))
try: os.remove(job["result_path"])
except OSError: pass
`
			if code == "" {
				full += `os.symlink("/etc/passwd", job["result_path"])`
			} else {
				full += `open(job["result_path"], "wb").write(` + code + `)`
			}
			e := glovebox(t, "run", "--json", "-o", "out:int", "-c", full+"\nos._exit(0)")
			if r := e.result(t); r.Error == nil {
				t.Errorf("the run ended well with %v", r.Outputs)
			} else if r.Error.Code == "internal" {
				t.Errorf("the forgery looks like a defect of Glovebox: %s", r.Error.Message)
			}
		})
	}
}

func TestAttackO08_InputsArriveAsTheyAre(t *testing.T) {
	for _, value := range []string{`"quotes" 'single'`, "$(touch /tmp/x)`id`", "two\nlines", "--flag", "", "=", "😀 é", `\n\`, "'; import os #", "{{}}%s"} {
		e := glovebox(t, "run", "--json", "-i", "in="+value, "-o", "out:str", "-c", "out = globals()['in']")
		if r := e.result(t); r.Error == nil {
			t.Errorf("a keyword was taken as an input of auto-IO: %v", r.Outputs)
		}
		e = glovebox(t, "run", "--json", "-i", "x="+value, "-o", "out:str", "-c", "out = x").succeeds(t)
		if got := e.result(t).Outputs["out"]; got != value {
			t.Errorf("%q arrived as %q", value, got)
		}
		e = glovebox(t, "run", "--json", "--verbatim", "-i", "x="+value, "-o", "out:str", "-c",
			`import shutil; shutil.copy("/var/inputs/x", "/var/outputs/out")`).succeeds(t)
		if got := e.result(t).Outputs["out"]; got != strings.TrimSuffix(value, "\n") {
			t.Errorf("%q came out of its file as %q", value, got)
		}
	}
	// what -i takes for a sign is a value where all of them are JSON
	file := filepath.Join(t.TempDir(), "inputs.json")
	if err := os.WriteFile(file, []byte(`{"x": "-", "y": "@/etc/passwd"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	e := glovebox(t, "run", "--json", "--inputs", file, "-i", "x:str", "-i", "y:str", "-o", "out:str", "-c", "out = x + y")
	if got := e.result(t).Outputs["out"]; got != "-@/etc/passwd" {
		t.Errorf("they arrived as %q", got)
	}
}
