package sandbox

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/files"
	"github.com/glovebox-dev/glovebox/value"
)

// Bounds on what a task may ask for. A task beyond them is a slip of the pen.
const (
	maxTaskName  = 128
	maxCode      = 64 << 20 // bytes
	maxArgument  = 128<<10 - 1
	maxCPU       = 4096
	minMemory    = 16 << 20
	maxBytes     = 1 << 50
	minDisk      = 1 << 20
	maxPIDs      = 4 << 20
	minOpenFiles = 16
	maxOpenFiles = 1 << 20
	maxFiles     = 100_000_000
)

// Validate reports everything that is wrong with a task as far as that can be
// known before anything starts: invalid_task, invalid_type or invalid_package,
// naming the field, what it holds and what was expected.
func (r *Runner) Validate(task *api.Task) error {
	checks := []func(*api.Task) error{
		checkKind, checkTaskName, checkMode, checkSource, (*api.Task).CheckPreload, (*api.Task).CheckStdin, checkArgv, checkSignature, checkEnv, checkSecrets, checkReserved,
		checkResources, r.checkMemory, checkLimits, (*api.Task).CheckPolicy, r.checkNetwork,
	}
	for _, check := range checks {
		if err := check(task); err != nil {
			return err
		}
	}
	return r.config.Images.Check(task.Image)
}

// checkKind refuses what makes a task of another kind: it would be ignored.
func checkKind(task *api.Task) error {
	const want = "nothing, or the kind that it belongs to"
	switch {
	case task.Orchestrator != nil:
		return api.WrongField("orchestrator", "set of a sandbox", want)
	case task.Function != nil:
		return api.WrongField("function", "set of a sandbox", want)
	}
	return nil
}

func checkTaskName(t *api.Task) error {
	ok := len(t.Name) <= maxTaskName && t.Name != "." && t.Name != ".." && !strings.HasPrefix(t.Name, "-")
	for _, r := range t.Name {
		ok = ok && (r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune("._-", r))
	}
	if !ok {
		return api.WrongField("name", value.Quote(t.Name), "at most 128 letters, digits, '.', '_' and '-'")
	}
	return nil
}

func checkMode(t *api.Task) error {
	switch {
	case t.Code != "" && len(t.Command) > 0:
		return api.Errorf(api.InvalidTask, "code and command are mutually exclusive").
			WithHint("keep the code for Python, or the command for anything else").
			WithDetails(api.Details{Field: "command", Got: value.Quote(t.Command[0]), Expected: "no command beside code"})
	case t.Code == "" && t.Verbatim:
		return api.WrongField("verbatim", "true without code", "code to run as written")
	case t.Code == "" && t.File != "":
		return api.WrongField("file", value.Quote(t.File)+" without code", "code that has this file name")
	case t.Mode() == api.AutoIO && len(t.Arguments) > 0:
		return api.WrongField("arguments", value.Quote(t.Arguments[0]), "none: auto-IO code gets its inputs as variables").
			WithHint("declare an input, or set verbatim to give the script arguments")
	}
	return nil
}

func checkSource(t *api.Task) error {
	if len(t.Code) > maxCode {
		return api.WrongField("code", fmt.Sprintf("%d bytes long", len(t.Code)), fmt.Sprintf("at most %d bytes", maxCode))
	}
	if t.File == "" {
		return nil
	}
	if err := api.CheckName("."+t.File, false); err != nil || api.CheckName(t.File, false) != nil {
		return api.WrongField("file", value.Quote(t.File), "a file name of at most 254 bytes, without a directory").WithHint("name it by its last part")
	}
	return nil
}

func checkArgv(t *api.Task) error {
	for field, list := range map[string][]string{"command": t.Command, "arguments": t.Arguments} {
		for i, arg := range list {
			if err := checkArgument(fmt.Sprintf("%s[%d]", field, i), arg); err != nil {
				return err
			}
		}
	}
	if len(t.Command) > 0 && t.Command[0] == "" {
		return api.WrongField("command[0]", `""`, "the program to run")
	}
	return checkTotal("command", slices.Concat(t.Command, t.Arguments))
}

// checkTotal bounds arguments that the kernel counts together.
func checkTotal(field string, words []string) error {
	total := 0
	for _, word := range words {
		total += len(word) + 1
	}
	if total > maxArguments {
		return api.WrongField(field, fmt.Sprintf("%d bytes long", total), fmt.Sprintf("at most %d bytes", maxArguments)).
			WithHint("pass large data as an input")
	}
	return nil
}

// checkArgument accepts what the kernel takes as one argument or variable.
func checkArgument(field, word string) error {
	switch {
	case strings.ContainsRune(word, 0):
		return api.WrongField(field, value.Quote(word), "text without NUL")
	case !utf8.ValidString(word):
		return api.WrongField(field, value.Quote(word), "valid UTF-8")
	case len(word) > maxArgument:
		return api.WrongField(field, fmt.Sprintf("%d bytes long", len(word)), "less than 128 KiB").
			WithHint("pass it as an input, which may be of any size")
	}
	return nil
}

func checkSignature(t *api.Task) error {
	if err := t.Signature.Check(t.Mode() == api.AutoIO); err != nil {
		return err
	}
	for _, p := range t.Signature.Inputs {
		if files.Mixed(p.Type) {
			return badFiles("input", p, "files alone, or in Optional, list, dict and tuple")
		}
	}
	for _, p := range t.Signature.Outputs {
		inner, _ := files.Required(p.Type)
		if _, ok := files.CollectionOf(inner); inner.Files() && !files.IsFile(inner) && !ok {
			return badFiles("output", p, "File, Dir or DataFrame alone, as list[...], dict[str, ...] or tuple[..., ...], and Optional of these")
		}
	}
	return nil
}

func badFiles(role string, p value.Param, expected string) error {
	return api.Errorf(api.InvalidType, "%s %s: %s has files where they cannot be, expected %s", role, p.Name, p.Type, expected).
		WithHint("declare the files on their own, or a Dir for many files").
		WithDetails(api.Details{Field: p.Name, Got: p.Type.String(), Expected: expected})
}

func checkEnv(t *api.Task) error {
	var words []string
	for name, value := range t.Env {
		if err := checkVariable("env", name); err != nil {
			return err
		}
		if err := checkArgument("env."+name, name+"="+value); err != nil {
			return err
		}
		words = append(words, name, value)
	}
	return checkTotal("env", words)
}

// checkReserved keeps the variables that lead to the engine what they are.
func checkReserved(t *api.Task) error {
	if !t.StartsRuns {
		return nil
	}
	for _, name := range []string{api.EngineVariable, api.ProxyVariable, api.RunVariable} {
		if _, set := t.Env[name]; set {
			return reserved("env."+name, name)
		}
		for i, ref := range t.Secrets {
			if ref.Env == name {
				return reserved(fmt.Sprintf("secrets[%d].env", i), name)
			}
		}
	}
	return nil
}

func reserved(field, name string) error {
	return api.WrongField(field, "set by the task", "nothing: the cell of a task that starts runs finds the engine by "+name).
		WithHint("take another name for the variable, or leave out starts_runs")
}

func checkVariable(field, name string) error {
	ok := name != "" && utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool {
		return r == '=' || unicode.IsSpace(r) || unicode.IsControl(r)
	})
	if !ok {
		return api.WrongField(field, value.Quote(name), "the name of a variable, without '=', spaces and control characters")
	}
	return nil
}

func checkSecrets(t *api.Task) error {
	variables, files := map[string]bool{}, map[string]bool{}
	for i, ref := range t.Secrets {
		field := fmt.Sprintf("secrets[%d]", i)
		if err := checkSecret(field, ref); err != nil {
			return err
		}
		if _, taken := t.Env[ref.Env]; taken || variables[ref.Env] {
			return api.WrongField(field+".env", value.Quote(ref.Env), "a variable that nothing else in the task sets")
		}
		if ref.Env != "" {
			variables[ref.Env] = true
			continue
		}
		if files[fileOf(ref)] {
			return api.WrongField(field+".file", value.Quote(fileOf(ref)), "a file that no other secret of the task has")
		}
		files[fileOf(ref)] = true
	}
	return nil
}

func checkSecret(field string, ref api.SecretRef) error {
	if !regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`).MatchString(ref.Name) {
		return api.WrongField(field+".name", value.Quote(ref.Name), "1 to 128 letters, digits, '_', '.' and '-'")
	}
	if ref.Env != "" && ref.File != "" {
		return api.WrongField(field, "a variable and a file", "one of them; name the secret twice for both")
	}
	if ref.Env != "" {
		return checkSecretVariable(field+".env", ref.Env)
	}
	if err := api.CheckName(fileOf(ref), false); err != nil {
		return api.WrongField(field+".file", value.Quote(fileOf(ref)), "a file name")
	}
	return nil
}

// checkSecretVariable is stricter than checkVariable. It refuses names that no
// program can read, and PATH: the author must have meant another name.
func checkSecretVariable(field, name string) error {
	if name == "PATH" {
		return api.WrongField(field, value.Quote(name), "another variable: this one says where programs are")
	}
	if !regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`).MatchString(name) {
		return api.WrongField(field, value.Quote(name), "the name of a variable: letters, digits and '_', no digit first")
	}
	return nil
}

func checkResources(t *api.Task) error {
	r := t.Resources.WithDefaults()
	if math.IsNaN(r.CPU) || r.CPU < 0.01 || r.CPU > maxCPU {
		return api.WrongField("resources.cpu", fmt.Sprint(t.Resources.CPU), "0.01 to 4096 cores")
	}
	return firstOutside([]bounded{
		{"resources.memory", r.Memory, minMemory, maxBytes, "bytes"},
		{"resources.disk", r.Disk, minDisk, maxBytes, "bytes"},
		{"resources.pids", int64(r.PIDs), 1, maxPIDs, "processes"},
		{"resources.open_files", int64(r.OpenFiles), minOpenFiles, maxOpenFiles, "descriptors"},
	})
}

// checkMemory holds a cell to the bound of the operator: the code of
// a cell can ask for further cells, larger than its own.
func (r *Runner) checkMemory(t *api.Task) error {
	limit, memory := r.config.MaxMemory, t.Resources.WithDefaults().Memory
	if limit == 0 || memory <= limit {
		return nil
	}
	return api.WrongField("resources.memory", fmt.Sprint(memory), fmt.Sprintf("at most %d bytes, which is what cells may have here", limit)).
		WithHint("ask for less memory, or have the server started with a larger --max-cell-memory")
}

func checkLimits(t *api.Task) error {
	l := t.Limits.WithDefaults()
	return firstOutside([]bounded{
		{"limits.outputs", l.Outputs, 1, maxBytes, "bytes"},
		{"limits.output_files", int64(l.OutputFiles), 1, maxFiles, "files"},
		{"limits.logs", l.Logs, 1, 1 << 40, "bytes"},
	})
}

// bounded is a number with its bounds, both included.
type bounded struct {
	field         string
	got, min, max int64
	unit          string
}

func firstOutside(numbers []bounded) error {
	for _, n := range numbers {
		if n.got < n.min || n.got > n.max {
			return api.WrongField(n.field, fmt.Sprint(n.got), fmt.Sprintf("%d to %d %s", n.min, n.max, n.unit))
		}
	}
	return nil
}

func (r *Runner) checkNetwork(t *api.Task) error {
	if t.Network.None() {
		return nil
	}
	_, err := r.config.Egress(t.Network, func(api.Connection) {}, nil)
	return err
}
