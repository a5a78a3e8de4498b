package archtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// threats counts the attacks of each kind that the threat model must list.
var threats = map[string]int{"H": 14, "R": 16, "O": 8, "N": 12, "S": 16, "B": 7, "I": 18, "D": 14, "A": 6, "C": 7, "P": 8, "M": 5, "V": 13, "Q": 12, "T": 7}

var (
	threatRow  = regexp.MustCompile(`(?m)^\| ([HRONSBIDACPMVQT]\d\d) \|.*\|$`)
	threatTest = regexp.MustCompile("`([a-z/0-9]+): (\\w+)`")
	attackFunc = regexp.MustCompile(`(?m)^def (test_\w+)\(`)
	attackName = regexp.MustCompile(`"([HRONSBCIAV]\d\d_\w+)"|func (TestAttack\w+|TestI\d\d\w+)\(`)
)

// TestThreatModelIsComplete holds docs/THREAT_MODEL.md to what it promises:
// every attack has a row, every row a test or a reason, and every test exists.
func TestThreatModelIsComplete(t *testing.T) {
	rows := threatRows(t)
	for kind, count := range threats {
		for n := range count {
			id := fmt.Sprintf("%s%02d", kind, n+1)
			row, ok := rows[id]
			if !ok {
				t.Errorf("%s has no row", id)
				continue
			}
			if !strings.Contains(row, "does not apply") && !threatTest.MatchString(row) {
				t.Errorf("%s has neither a test nor a reason why it does not apply", id)
			}
		}
	}
	for id, row := range rows {
		for _, match := range threatTest.FindAllStringSubmatch(row, -1) {
			if !testExists(t, match[1], match[2]) {
				t.Errorf("%s names %s in %s, which does not exist", id, match[2], match[1])
			}
		}
	}
}

// TestEveryAttackIsListed finds attack tests that the threat model forgot.
func TestEveryAttackIsListed(t *testing.T) {
	rows := threatRows(t)
	for _, dir := range []string{"attack", attackCases, "internal/cell/celltest", "internal/orchestrator", "py"} {
		for _, match := range attackName.FindAllStringSubmatch(packageText(t, dir), -1) {
			name := match[1] + match[2]
			id := strings.TrimPrefix(strings.TrimPrefix(name, "Test"), "Attack")[:3]
			if !strings.Contains(rows[id], "`"+dir+": "+name+"`") {
				t.Errorf("%s in %s is not in the row of %s", name, dir, id)
			}
		}
	}
}

// TestEveryAttackOnTheClientIsListed does the same for the client in Python.
func TestEveryAttackOnTheClientIsListed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, pythonTests, "test_attacks.py"))
	if err != nil {
		t.Fatal(err)
	}
	var listed strings.Builder
	for _, row := range threatRows(t) {
		listed.WriteString(row)
	}
	for _, match := range attackFunc.FindAllStringSubmatch(string(text), -1) {
		if !strings.Contains(listed.String(), "`"+pythonTests+": "+match[1]+"`") {
			t.Errorf("%s is in no row", match[1])
		}
	}
}

func threatRows(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "docs", "THREAT_MODEL.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for _, match := range threatRow.FindAllStringSubmatch(string(data), -1) {
		rows[match[1]] = match[0]
	}
	return rows
}

// testExists looks for a test function, or for the name of a check in a suite,
// whose spaces go test shows as underscores.
func testExists(t *testing.T, dir, name string) bool {
	if dir == pythonTests {
		return strings.Contains(pythonText(t), "\ndef "+name+"(")
	}
	text := packageText(t, dir)
	for _, form := range []string{"func " + name + "(", `{"` + name + `", `, `"` + name + `": `, `"` + strings.ReplaceAll(name, "_", " ") + `": `, `Name: "` + name + `", `} {
		if strings.Contains(text, form) {
			return true
		}
	}
	return false
}

// packageText is the text of the tests in a folder.
func packageText(t *testing.T, dir string) string {
	t.Helper()
	if known, ok := packageTexts[dir]; ok {
		return known
	}
	var all strings.Builder
	for _, file := range sources(t) {
		if filepath.Dir(file) == dir && (strings.HasSuffix(file, "_test.go") || testSuite(dir) || dir == attackCases) {
			data, err := os.ReadFile(filepath.Join(root, file))
			if err != nil {
				t.Fatal(err)
			}
			all.Write(data)
		}
	}
	packageTexts[dir] = all.String()
	return packageTexts[dir]
}

// attackCases has the attacks of glovebox doctor, which are no tests by themselves.
const attackCases = "internal/attack"

// packageTexts are those that were read, because a folder has many tests that
// the threat model names.
var packageTexts = map[string]string{}

// pythonTests has the tests of the client in Python.
const pythonTests = "clients/python/tests"

func pythonText(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, pythonTests, "test_*.py"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	return all.String()
}
