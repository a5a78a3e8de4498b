package attack

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
