package dockerfile

import (
	"slices"
	"strconv"
	"strings"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"github.com/moby/buildkit/frontend/dockerfile/shell"

	"github.com/glovebox-dev/glovebox/api"
)

// Options say what of a Dockerfile is built, and with what.
type Options struct {
	Args     map[string]string // values of its ARGs
	Target   string            // the stage to build, by name or number; empty is the last
	Platform string            // such as linux/amd64
}

// Stage is a part of a Dockerfile that begins with FROM.
type Stage struct {
	Name string // or its number
	Line int
	From Source

	commands []instructions.Command
	file     *file
	end      *state // after Steps
}

// Source is where files come from. The zero Source of FROM is scratch, and that
// of a copy or a mount the build context.
type Source struct {
	Stage *Stage // an earlier one
	Image string // a reference
}

// file is what all stages share.
type file struct {
	lex    *shell.Lex
	given  map[string]string // build arguments
	global *environment      // what FROM and ARGs without a value see
	stages []*Stage
}

// Parse returns the stages that the target needs, each behind those that it
// needs itself; the target is the last one.
func Parse(text string, o Options) ([]*Stage, error) {
	parsed, err := parser.Parse(strings.NewReader(text))
	if err != nil {
		return nil, wrong(err)
	}
	stages, args, err := instructions.Parse(parsed.AST, nil)
	if err != nil {
		return nil, wrong(err)
	}
	if len(stages) == 0 {
		return nil, api.Errorf(api.InvalidTask, "Dockerfile: it has no FROM").WithDetails(api.Details{Field: field, Expected: "FROM IMAGE"})
	}
	f := &file{lex: shell.NewLex(parsed.EscapeToken), given: o.Args, global: platformArgs(o)}
	if err := f.takeGlobal(args); err != nil {
		return nil, err
	}
	if err := checkDeclared(o.Args, args, stages); err != nil {
		return nil, err
	}
	for i := range stages {
		if err := f.addStage(&stages[i]); err != nil {
			return nil, err
		}
	}
	target, err := f.target(o.Target)
	if err != nil {
		return nil, err
	}
	return f.needed(target)
}

// platformArgs are the arguments that every Dockerfile has.
func platformArgs(o Options) *environment {
	system, arch, _ := strings.Cut(o.Platform, "/")
	e := &environment{}
	for _, of := range []string{"BUILD", "TARGET"} {
		e.set(of+"PLATFORM", o.Platform)
		e.set(of+"OS", system)
		e.set(of+"ARCH", arch)
		e.set(of+"VARIANT", "")
	}
	e.set("TARGETSTAGE", o.Target)
	for _, variable := range e.list {
		name, _, _ := strings.Cut(variable, "=")
		if v, ok := o.Args[name]; ok {
			e.set(name, v)
		}
	}
	return e
}

// takeGlobal reads the ARGs before the first FROM.
func (f *file) takeGlobal(commands []instructions.ArgCommand) error {
	for _, c := range commands {
		for _, arg := range c.Args {
			value, given := f.given[arg.Key]
			switch {
			case given:
				f.global.set(arg.Key, value)
			case arg.Value != nil:
				value, _, err := f.lex.ProcessWord(*arg.Value, f.global)
				if err != nil {
					return at(c.Location(), err)
				}
				f.global.set(arg.Key, value)
			}
		}
	}
	return nil
}

// checkDeclared refuses build arguments that no ARG takes.
func checkDeclared(given map[string]string, global []instructions.ArgCommand, stages []instructions.Stage) error {
	known := proxyArgs()
	add := func(c *instructions.ArgCommand) {
		for _, arg := range c.Args {
			known = append(known, arg.Key)
		}
	}
	for i := range global {
		add(&global[i])
	}
	for _, variable := range platformArgs(Options{}).list {
		name, _, _ := strings.Cut(variable, "=")
		known = append(known, name)
	}
	for _, st := range stages {
		for _, c := range st.Commands {
			if arg, ok := c.(*instructions.ArgCommand); ok {
				add(arg)
			}
		}
	}
	for name := range given {
		if !slices.Contains(known, name) {
			return api.Errorf(api.InvalidTask, "Dockerfile: no ARG takes the build argument %q", name).
				WithHint("write ARG %s into the stage that uses it, or leave the argument out", name).
				WithDetails(api.Details{Field: "image.build_args", Got: name})
		}
	}
	return nil
}

// proxyArgs need no ARG. A cell has a proxy of its own, so they change nothing.
func proxyArgs() []string {
	return []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "FTP_PROXY", "ftp_proxy", "NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy"}
}

func (f *file) addStage(st *instructions.Stage) error {
	base, _, err := f.lex.ProcessWord(st.BaseName, f.global)
	if err != nil {
		return at(st.Location, err)
	}
	if base == "" {
		return problem(st.Location, "FROM %s names no image", st.BaseName).WithHint("give the ARG a value, or a default before FROM")
	}
	if err := f.checkPlatform(st); err != nil {
		return err
	}
	stage := &Stage{Name: st.Name, Line: line(st.Location), commands: st.Commands, file: f}
	if earlier := f.named(base); earlier != nil {
		stage.From.Stage = earlier
	} else if base != "scratch" {
		stage.From.Image = base
	}
	if stage.Name == "" {
		stage.Name = strconv.Itoa(len(f.stages))
	}
	f.stages = append(f.stages, stage)
	return nil
}

// checkPlatform refuses another platform than the one of the host, because
// cells run its programs.
func (f *file) checkPlatform(st *instructions.Stage) error {
	platform, _, err := f.lex.ProcessWord(st.Platform, f.global)
	if err != nil {
		return at(st.Location, err)
	}
	own, _ := f.global.Get("BUILDPLATFORM")
	if platform == "" || platform == own {
		return nil
	}
	return problem(st.Location, "FROM --platform=%s, and only %s is built here", platform, own)
}

// named finds an earlier stage by its name.
func (f *file) named(name string) *Stage {
	for _, s := range slices.Backward(f.stages) {
		if strings.EqualFold(s.Name, name) && !isNumber(s.Name) {
			return s
		}
	}
	return nil
}

func isNumber(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

func (f *file) target(name string) (*Stage, error) {
	if name == "" {
		return f.stages[len(f.stages)-1], nil
	}
	var names []string
	for _, s := range f.stages {
		if strings.EqualFold(s.Name, name) {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return nil, api.Errorf(api.InvalidTask, "Dockerfile: there is no stage %q", name).
		WithDetails(api.Details{Field: "image.target", Got: name, Expected: strings.Join(names, ", ")})
}

// needed lists the stages that target needs, and target as the last.
func (f *file) needed(target *Stage) ([]*Stage, error) {
	needs := map[*Stage]bool{target: true}
	for i := slices.Index(f.stages, target); i >= 0; i-- {
		s := f.stages[i]
		if !needs[s] {
			continue
		}
		sources, err := s.sources()
		if err != nil {
			return nil, err
		}
		for _, source := range append(sources, s.From) {
			if source.Stage != nil {
				needs[source.Stage] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(f.stages), func(s *Stage) bool { return !needs[s] }), nil
}

// sources are where the copies and mounts of a stage take files from.
func (s *Stage) sources() ([]Source, error) {
	var out []Source
	add := func(c instructions.Command, from string) error {
		source, err := s.source(c, from)
		out = append(out, source)
		return err
	}
	for _, c := range s.commands {
		switch c := c.(type) {
		case *instructions.CopyCommand:
			if err := add(c, c.From); err != nil {
				return nil, err
			}
		case *instructions.RunCommand:
			for _, m := range instructions.GetMounts(c) {
				if err := add(c, m.From); err != nil {
					return nil, err
				}
			}
		}
	}
	return out, nil
}

// source finds what --from means in a command of s: an earlier stage by name or
// number, or an image.
func (s *Stage) source(c instructions.Command, from string) (Source, error) {
	if from == "" {
		return Source{}, nil
	}
	if strings.Contains(from, "$") {
		return Source{}, problem(c.Location(), "from=%s has a variable, which is not expanded there", from).
			WithHint("name a stage that begins with FROM %s", from)
	}
	all := s.file.stages
	number, err := strconv.Atoi(from)
	for i, other := range all {
		if err == nil && i != number || err != nil && !strings.EqualFold(other.Name, from) {
			continue
		}
		if i >= slices.Index(all, s) {
			return Source{}, problem(c.Location(), "from=%s is not an earlier stage", from)
		}
		return Source{Stage: other}, nil
	}
	if err == nil {
		return Source{}, problem(c.Location(), "from=%s, and there is no such stage", from)
	}
	return Source{Image: from}, nil
}
