package difftest

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Outcome is what a program did.
type Outcome struct {
	Output  string  `json:"output"`            // what it printed
	Value   *string `json:"value,omitempty"`   // the repr of the last expression's value
	Error   string  `json:"error,omitempty"`   // the class of the exception that ended it
	Message string  `json:"message,omitempty"` // its text
	Line    int     `json:"line,omitempty"`    // the innermost line of the program that it passed
}

//go:embed oracle.py
var oracle string

// AskCPython runs programs under python3, in one process, and returns their
// outcomes in the same order.
func AskCPython(sources []string) ([]Outcome, error) {
	request, err := json.Marshal(sources)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("python3", "-c", oracle)
	cmd.Env = append(os.Environ(), "PYTHONHASHSEED=0", "TZ=UTC")
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(request), &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("python3: %w\n%s", err, stderr.String())
	}
	outcomes, err := decode(out)
	if err == nil && len(outcomes) != len(sources) {
		err = fmt.Errorf("python3 ran %d of %d programs", len(outcomes), len(sources))
	}
	return outcomes, err
}

// ReadGolden reads the expectations of a file of programs.
func ReadGolden(path string) ([]Outcome, error) {
	data, err := os.ReadFile(goldenPath(path))
	if err != nil {
		return nil, err
	}
	return decode(data)
}

// WriteGolden writes the expectations of a file of programs: lines of JSON.
func WriteGolden(path string, outcomes []Outcome) error {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	for _, o := range outcomes {
		if err := e.Encode(o); err != nil {
			return err
		}
	}
	return os.WriteFile(goldenPath(path), out.Bytes(), 0o644)
}

func goldenPath(path string) string { return strings.TrimSuffix(path, ".py") + ".golden" }

func decode(lines []byte) ([]Outcome, error) {
	var outcomes []Outcome
	d := json.NewDecoder(bufio.NewReader(bytes.NewReader(lines)))
	for d.More() {
		var o Outcome
		if err := d.Decode(&o); err != nil {
			return nil, err
		}
		outcomes = append(outcomes, o)
	}
	return outcomes, nil
}
