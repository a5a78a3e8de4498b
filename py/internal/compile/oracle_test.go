package compile

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/py/internal/code"
)

// TestAgainstCPython runs compiled programs on a machine that is written in
// Python, with CPython's own objects, and compares what they print.
func TestAgainstCPython(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not here")
	}
	var names []string
	var request [][2]any
	for _, file := range programs(t) {
		for i, source := range chunks(t, file) {
			for _, private := range []bool{false, true} {
				name := fmt.Sprintf("%s %d private=%t", filepath.Base(file), i, private)
				m, err := compileWith(source, Options{Name: "x.py", Builtin: isTestBuiltin, Private: private})
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				if err := checkModule(m); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				names = append(names, name)
				request = append(request, [2]any{source, describe(m)})
			}
		}
	}
	for i, a := range askMachine(t, request) {
		if diff := cmp.Diff(a[0], a[1]); diff != "" {
			t.Errorf("%s:\n%s", names[i], diff)
		}
	}
}

func programs(t *testing.T) []string {
	files, err := filepath.Glob("testdata/programs/*.py")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	return files
}

// chunks splits a file into the programs that "# ---" lines separate.
func chunks(t *testing.T, file string) []string {
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(source), "\n# ---\n")
}

func askMachine(t *testing.T, request [][2]any) [][2]string {
	in, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("python3", "testdata/machine.py")
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &stderr
	cmd.Env = append(os.Environ(), "PYTHONHASHSEED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var answers [][2]string
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatal(err)
	}
	return answers
}

// describe returns a module as the machine in Python reads it.
func describe(m *code.Module) any {
	codes := make([]map[string]any, len(m.Codes))
	for i, k := range m.Codes {
		codes[i] = describeCode(k)
	}
	return map[string]any{"Globals": append([]string{}, m.Globals...), "Codes": codes}
}

func describeCode(k *code.Code) map[string]any {
	instrs := make([]any, len(k.Instrs))
	words := make([]int, len(k.Instrs))
	for pc, i := range k.Instrs {
		words[pc] = int(i)
	}
	for pc := 0; pc < len(k.Instrs); pc += k.Instrs[pc].Op().Length() {
		i := k.Instrs[pc]
		if i.Op() == code.OpJump || i.Op() == code.OpLoopRange {
			words[pc] = i.Offset()
		} else if i.Op().IsTest() {
			words[pc+1] = k.Instrs[pc+1].Offset()
		}
		instrs[pc] = []any{opName(i.Op()), i.A(), i.B(), i.C(), i.K(), i.Op().Length()}
	}
	consts := make([]any, len(k.Consts))
	for i, v := range k.Consts {
		consts[i] = describeConst(v)
	}
	return map[string]any{
		"Name": k.Name, "QualName": k.QualName, "Doc": k.Doc, "HasDoc": k.HasDoc, "Flags": k.Flags,
		"PosOnly": k.PosOnly, "Pos": k.Pos, "KwOnly": k.KwOnly, "Params": k.Params, "Regs": k.Regs,
		"LocalNames": k.LocalNames, "Captures": append([]code.Capture{}, k.Captures...), "Code": instrs, "Words": words,
		"Consts": consts, "Handlers": k.Handlers,
	}
}

// opName marks the forms with a constant operand.
func opName(op code.Op) string {
	switch op {
	case code.OpAddI, code.OpSubI, code.OpMulI, code.OpFloorDivI, code.OpModI, code.OpIAddI, code.OpISubI,
		code.OpTestEqI, code.OpTestNotEqI, code.OpTestLtI, code.OpTestLtEI, code.OpTestGtI, code.OpTestGtEI:
		return strings.TrimSuffix(op.String(), "I") + "#I"
	case code.OpAddK, code.OpSubK, code.OpMulK, code.OpDivK, code.OpIMulK, code.OpIAddK, code.OpTestEqK, code.OpTestNotEqK:
		return strings.TrimSuffix(op.String(), "K") + "#K"
	}
	return op.String()
}

func describeConst(v any) [2]any {
	switch v := v.(type) {
	case nil:
		return [2]any{"none", nil}
	case bool:
		return [2]any{"bool", v}
	case int64:
		return [2]any{"int", strconv.FormatInt(v, 10)}
	case *big.Int:
		return [2]any{"int", v.String()}
	case float64:
		if math.IsInf(v, 0) {
			return [2]any{"float", "inf"}
		}
		return [2]any{"float", strconv.FormatFloat(v, 'x', -1, 64)}
	case string:
		return [2]any{"str", base64.StdEncoding.EncodeToString([]byte(v))}
	case []byte:
		return [2]any{"bytes", base64.StdEncoding.EncodeToString(v)}
	case code.Ellipsis:
		return [2]any{"ellipsis", nil}
	case code.Tuple:
		items := make([]any, len(v))
		for i := range v {
			items[i] = describeConst(v[i])
		}
		return [2]any{"tuple", items}
	case *code.Code:
		return [2]any{"code", v.Index}
	case code.Builtin:
		return [2]any{"builtin", string(v)}
	case code.Intrinsic:
		return [2]any{"intrinsic", string(v)}
	}
	panic(fmt.Sprintf("constant %T", v))
}
