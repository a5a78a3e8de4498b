package cli

import (
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// preferredPythons are the minor versions of Python 3 to choose from when a
// script only says a range: those that every kind of base may have come first.
var preferredPythons = []int{13, 11, 12, 14, 10, 9, 8}

// commonPythons are those that a base has when no version is asked for.
var commonPythons = []int{11, 12, 13}

// pythonFor chooses the version for a requires-python specifier, such as
// ">=3.11,<3.14". Empty means that the version of any base will do.
func pythonFor(specifier string) (string, error) {
	var clauses []clause
	for part := range strings.SplitSeq(specifier, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		c, err := parseClause(part)
		if err != nil {
			return "", err
		}
		clauses = append(clauses, c)
	}
	for _, c := range clauses {
		if c.op == "==" && !c.wild && c.patch >= 0 {
			return "3." + strconv.Itoa(c.minor) + "." + strconv.Itoa(c.patch), nil
		}
	}
	if all(clauses, commonPythons) {
		return "", nil
	}
	for _, minor := range preferredPythons {
		if all(clauses, []int{minor}) {
			return "3." + strconv.Itoa(minor), nil
		}
	}
	return "", api.Errorf(api.InvalidTask, "requires-python %q leaves no version of Python to run with", specifier).
		WithHint("allow one of 3.8 to 3.14").
		WithDetails(api.Details{Field: "requires-python", Expected: "a range with one of 3.8 to 3.14", Got: specifier})
}

func all(clauses []clause, minors []int) bool {
	for _, minor := range minors {
		for _, c := range clauses {
			if !c.allows(minor) {
				return false
			}
		}
	}
	return true
}

// clause is one comparison of a version specifier with a version of Python 3.
type clause struct {
	op           string
	minor, patch int // patch is -1 if it is not given
	wild         bool
}

var comparisons = []string{"===", "==", "!=", "~=", ">=", "<=", ">", "<"}

func parseClause(text string) (clause, error) {
	text = strings.TrimSpace(text)
	for _, op := range comparisons {
		if version, ok := strings.CutPrefix(text, op); ok {
			return parseVersion(op, strings.TrimSpace(version))
		}
	}
	return clause{}, badSpecifier(text)
}

func badSpecifier(text string) error {
	return api.Errorf(api.InvalidTask, "requires-python: %q is not a version specifier", text).
		WithHint("write it such as >=3.11 or ==3.12.*").
		WithDetails(api.Details{Field: "requires-python", Expected: "a version specifier", Got: text})
}

func parseVersion(op, version string) (clause, error) {
	plain, wild := strings.CutSuffix(version, ".*")
	if op == "===" {
		op = "=="
	}
	numbers, err := numbersOf(plain)
	if err != nil || wild && op != "==" && op != "!=" {
		return clause{}, badSpecifier(op + version)
	}
	c := clause{op: op, minor: numbers[1], patch: numbers[2], wild: wild}
	switch major := numbers[0]; {
	case major < 3:
		return c.other(0), nil
	case major > 3:
		return c.other(beyond), nil
	case c.minor < 0:
		return c.bare(), nil
	}
	return c, nil
}

// numbersOf splits a version into major, minor and patch; -1 is not given.
func numbersOf(version string) (numbers [3]int, err error) {
	parts := strings.Split(version, ".")
	if len(parts) > len(numbers) {
		return numbers, strconv.ErrSyntax
	}
	numbers = [3]int{-1, -1, -1}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil {
			return numbers, err
		}
		numbers[i] = int(n)
	}
	return numbers, nil
}

// beyond is a minor version that Python 3 will never reach.
const beyond = 1000

// other stands for a version of Python 2 or 4: below or above all of 3.
func (c clause) other(minor int) clause {
	if c.op == "~=" {
		c.op = "=="
	}
	return clause{op: c.op, minor: minor, patch: -1, wild: c.wild}
}

// bare stands for plain "3" or "3.*".
func (c clause) bare() clause {
	switch {
	case c.op == "==" || c.op == "~=":
		c.op = ">="
	case c.op == "!=" && c.wild:
		c.op = "<"
	}
	return clause{op: c.op, minor: 0, patch: -1}
}

// allows reports whether some 3.minor.x passes.
func (c clause) allows(minor int) bool {
	switch c.op {
	case "==":
		return minor == c.minor
	case "!=":
		return !(c.wild && c.patch < 0 && minor == c.minor)
	case "~=":
		return minor == c.minor || c.patch < 0 && minor > c.minor
	case ">=":
		return minor >= c.minor
	case ">":
		return minor > c.minor || c.patch >= 0 && minor == c.minor
	case "<=":
		return minor <= c.minor
	}
	return minor < c.minor || c.patch > 0 && minor == c.minor
}
