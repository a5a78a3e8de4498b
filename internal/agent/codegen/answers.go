package codegen

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

// maxCode bounds a script, and its tests, in bytes.
const maxCode = 256 << 10

// The schemas of answers. Every member is required, as providers have it who hold
// their models to a schema.
var (
	planSchema = object(`"description": {"type": "string", "description": "what the script does"},
		"approach": {"type": "string", "description": "the steps that it takes"}`, "description", "approach")
	codeSchema = object(`"language": {"type": "string", "description": "python"},
		"code": {"type": "string", "description": "the whole script"},
		"system_packages": {"type": "array", "items": {"type": "string"}, "description": "Debian packages that it needs, mostly none"}`, "language", "code", "system_packages")
	packagesSchema    = object(`"packages": {"type": "array", "items": {"type": "string"}, "description": "names on PyPI"}`, "packages")
	testsSchema       = object(`"test_code": {"type": "string", "description": "the whole file of tests"}`, "test_code")
	replacementSchema = object(`"replacement": {"type": ["string", "null"], "description": "the name that exists, or null if none is needed"}`, "replacement")
	patchesSchema     = object(`"patches": {"type": "array", "items": {"type": "object", "additionalProperties": false, "required": ["test_name", "fixed_code"],
		"properties": {"test_name": {"type": "string", "description": "the name of the function"},
			"fixed_code": {"type": "string", "description": "the whole function, with its decorators"}}}}`, "patches")
	diagnosisSchema = object(`"failures": {"type": "array", "items": {"type": "object", "additionalProperties": false,
		"required": ["test_name", "error_message", "expected_behavior", "actual_behavior", "root_cause", "suggested_fix", "error_type"],
		"properties": {"test_name": {"type": "string"}, "error_message": {"type": "string"}, "expected_behavior": {"type": "string"},
			"actual_behavior": {"type": "string"}, "root_cause": {"type": "string"}, "suggested_fix": {"type": "string"},
			"error_type": {"type": "string", "enum": ["environment", "logic", "test_error"]}}}},
		"needs_system_packages": {"type": "array", "items": {"type": "string"}},
		"needs_language_packages": {"type": "array", "items": {"type": "string"}}`, "failures", "needs_system_packages", "needs_language_packages")
)

func object(properties string, required ...string) json.RawMessage {
	names, err := json.Marshal(required)
	if err != nil {
		panic(err) // strings have JSON
	}
	return json.RawMessage(fmt.Sprintf(`{"type": "object", "additionalProperties": false, "required": %s, "properties": {%s}}`, names, properties))
}

type codeAnswer struct {
	Language       string   `json:"language"`
	Code           string   `json:"code"`
	SystemPackages []string `json:"system_packages"`
}

func (a *codeAnswer) check() error {
	if language := strings.ToLower(strings.TrimSpace(a.Language)); language != "" && language != "python" {
		return fmt.Errorf("language is %q, expected python", language)
	}
	a.Code = oneNewline(unfenced(a.Code))
	return checkCode("code", a.Code)
}

type testsAnswer struct {
	Tests string `json:"test_code"`
}

func (a *testsAnswer) check() error {
	a.Tests = oneNewline(unfenced(a.Tests))
	return checkCode("test_code", a.Tests)
}

// oneNewline ends a text in one new line.
func oneNewline(text string) string { return strings.TrimRight(text, "\n") + "\n" }

func checkCode(name, code string) error {
	switch {
	case strings.TrimSpace(code) == "":
		return errors.New(name + " is empty")
	case len(code) > maxCode:
		return fmt.Errorf("%s has %d bytes, at most %d are taken", name, len(code), maxCode)
	case strings.ContainsRune(code, 0):
		return errors.New(name + " has a NUL in it")
	}
	return nil
}

type patch struct {
	Test string `json:"test_name"`
	Code string `json:"fixed_code"`
}

// failure is what the model makes of a test that failed.
type failure struct {
	Test      string `json:"test_name"`
	Message   string `json:"error_message"`
	Expected  string `json:"expected_behavior"`
	Actual    string `json:"actual_behavior"`
	Cause     string `json:"root_cause"`
	Fix       string `json:"suggested_fix"`
	ErrorType string `json:"error_type"`
}

// The types of failures.
const (
	environmentError = "environment" // something is not installed
	logicError       = "logic"       // of the script
	testError        = "test_error"
)

type diagnosis struct {
	Failures       []failure `json:"failures"`
	SystemPackages []string  `json:"needs_system_packages"`
	Packages       []string  `json:"needs_language_packages"`
}

func (d *diagnosis) check() error {
	if len(d.Failures) == 0 {
		return errors.New("failures is empty, and tests have failed")
	}
	for _, f := range d.Failures {
		if f.ErrorType != environmentError && f.ErrorType != logicError && f.ErrorType != testError {
			return fmt.Errorf("error_type is %q, expected environment, logic or test_error", f.ErrorType)
		}
	}
	return nil
}

// Names of packages, as a model may give them: no place, no option, no file.
var (
	packagePattern       = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}(\[[A-Za-z0-9,._-]{1,99}\])?([<>=!~]=?[A-Za-z0-9.*+!,<>=~-]{1,99})?$`)
	systemPackagePattern = lazyregexp.New(`^[a-z0-9][a-z0-9+.-]{1,99}$`)
)

// maxPackages bounds what a model may have installed, of each kind.
const maxPackages = 50
