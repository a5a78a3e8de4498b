package dockerfile

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"

	"github.com/glovebox-dev/glovebox/internal/oci"
)

// DefaultPath is the PATH of an image that has none.
const DefaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// state is where a stage is between two instructions.
type state struct {
	stage  *Stage
	config oci.Config
	env    *environment // of the image, and the ARGs so far
	cmdSet bool         // by this stage
	steps  []Step
}

// Steps follows the stage from the configuration of its base, which is ignored
// if that is another stage: Steps of that one come first. It can be called once.
func (s *Stage) Steps(base oci.Config) ([]Step, oci.Config, error) {
	st, triggers := s.begin(base)
	commands, err := parseTriggers(s, triggers)
	if err != nil {
		return nil, oci.Config{}, err
	}
	for _, c := range append(commands, s.commands...) {
		if err := st.apply(c); err != nil {
			return nil, oci.Config{}, at(c.Location(), err)
		}
	}
	s.end = st
	return st.steps, st.config, nil
}

// begin gives the state before the first instruction, and the ONBUILD triggers
// of the base.
func (s *Stage) begin(base oci.Config) (*state, []string) {
	st := &state{stage: s, config: base}
	if s.From.Stage != nil {
		st.config = s.From.Stage.end.config
		st.env = s.From.Stage.end.env.clone()
	} else {
		st.env = newEnvironment(base.Env)
	}
	triggers := st.config.OnBuild
	st.config.OnBuild = nil
	st.config.Env = slices.Clone(st.config.Env)
	st.config.Labels = maps.Clone(st.config.Labels)
	st.config.Volumes = maps.Clone(st.config.Volumes)
	st.config.ExposedPorts = maps.Clone(st.config.ExposedPorts)
	if _, ok := st.env.Get("PATH"); !ok {
		st.setEnv("PATH", DefaultPath)
	}
	if st.config.WorkingDir == "" {
		st.config.WorkingDir = "/"
	}
	return st, triggers
}

// parseTriggers reads what ONBUILD of a base says.
func parseTriggers(s *Stage, triggers []string) ([]instructions.Command, error) {
	var out []instructions.Command
	for _, text := range triggers {
		parsed, err := parser.Parse(strings.NewReader(text))
		if err != nil {
			return nil, Problem(s.Line, "ONBUILD %s of the base: %w", text, err)
		}
		for _, node := range parsed.AST.Children {
			node.StartLine, node.EndLine = s.Line, s.Line
			c, err := instructions.ParseCommand(node)
			if err != nil {
				return nil, Problem(s.Line, "ONBUILD %s of the base: %w", text, err)
			}
			if from, ok := c.(*instructions.CopyCommand); ok && from.From != "" {
				return nil, Problem(s.Line, "ONBUILD %s of the base: --from is not supported there", text)
			}
			out = append(out, c)
		}
	}
	return out, nil
}

func (st *state) setEnv(name, value string) {
	st.env.set(name, value)
	env := &environment{st.config.Env}
	env.set(name, value)
	st.config.Env = env.list
}

// expand replaces the variables of one word.
func (st *state) expand(word string) (string, error) {
	out, _, err := st.stage.file.lex.ProcessWord(word, st.env)
	return out, err
}

// expandText replaces variables only, and leaves quotes as they are.
func (st *state) expandText(text string) (string, error) {
	lex := *st.stage.file.lex
	lex.SkipProcessQuotes = true
	out, _, err := lex.ProcessWord(text, st.env)
	return out, err
}

func (st *state) apply(c instructions.Command) error {
	if _, isArg := c.(*instructions.ArgCommand); !isArg {
		if words, ok := c.(instructions.SupportsSingleWordExpansion); ok {
			if err := words.Expand(st.expand); err != nil {
				return err
			}
		}
	}
	if texts, ok := c.(instructions.SupportsSingleWordExpansionRaw); ok {
		if err := texts.ExpandRaw(st.expandText); err != nil {
			return err
		}
	}
	switch c := c.(type) {
	case *instructions.ArgCommand:
		return st.arg(c)
	case *instructions.RunCommand:
		return st.run(c)
	case *instructions.CopyCommand:
		return st.copy(c)
	case *instructions.AddCommand:
		return st.add(c)
	case *instructions.WorkdirCommand:
		return st.workdir(c)
	}
	return st.configure(c)
}

// arg gives an ARG its value: from the caller, or its default, or of the ARG of
// the same name before the first FROM.
func (st *state) arg(c *instructions.ArgCommand) error {
	for _, arg := range c.Args {
		value, has := st.stage.file.given[arg.Key]
		if !has && arg.Value != nil {
			var err error
			if value, err = st.expand(*arg.Value); err != nil {
				return err
			}
			has = true
		}
		if !has {
			value, has = st.stage.file.global.Get(arg.Key)
		}
		if has {
			st.env.set(arg.Key, value)
		}
	}
	return nil
}

func (st *state) workdir(c *instructions.WorkdirCommand) error {
	dir := st.absolute(c.Path)
	st.config.WorkingDir = dir
	if dir != "/" {
		st.do(c, c.String(), Step{Mkdir: &Mkdir{Path: dir, User: st.config.User}})
	}
	return nil
}

// absolute gives a clean absolute path, below the working directory.
func (st *state) absolute(name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join("/", st.config.WorkingDir, name)
}

func (st *state) do(c instructions.Command, text string, step Step) {
	step.Line, step.Text = line(c.Location()), text
	st.steps = append(st.steps, step)
}

// withShell puts the shell of the image before a command line.
func (st *state) withShell(words []string) []string {
	shell := st.config.Shell
	if len(shell) == 0 {
		shell = []string{"/bin/sh", "-c"}
	}
	return append(slices.Clone(shell), strings.Join(words, " "))
}
