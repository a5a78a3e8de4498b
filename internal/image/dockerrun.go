package image

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/moby/sys/user"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/image/copier"
	"github.com/glovebox-dev/glovebox/internal/image/dockerfile"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// runProgram carries out RUN, or takes the layer of an equal earlier one.
func (s *dockerStage) runProgram(ctx context.Context, step dockerfile.Step) error {
	mounts, err := s.mounts(ctx, step.Run)
	if err != nil {
		return err
	}
	key := digestJSON([]any{builderVersion, s.chain(), kindRun, runKey(step.Run, mounts), s.sources(), s.order.spec.Platform})
	err = s.keep(kindRun, key, step, func() (oci.Layer, error) { return s.runInCell(ctx, step, mounts) })
	s.copies = nil // they do not know what the program did
	return err
}

// runKey is what decides about the result of a program, beside the files that it
// finds. Secrets do not, as in Docker.
func runKey(run *dockerfile.Run, mounts []*mount) any {
	var shown []any
	for _, m := range mounts {
		shown = append(shown, []any{m.Kind, m.Target, m.ID, m.Env, m.digest})
	}
	return []any{run.Argv, run.Env, run.Dir, run.User, run.Script, run.NoNetwork, shown}
}

// runInCell runs the program in a cell of its own. No directory of the cell is
// apart from the image but those of the kernel and of mounts.
func (s *dockerStage) runInCell(ctx context.Context, step dockerfile.Step, mounts []*mount) (oci.Layer, error) {
	s.progress(api.Progress{Stage: "build", Message: oneLine(step.Text)})
	t, err := s.tree(ctx)
	if err != nil {
		return oci.Layer{}, err
	}
	who, err := execUser(t, step.Run.User)
	if err != nil {
		return oci.Layer{}, err
	}
	c := &stepCell{reach: s.reach(kindCommand)}
	spec := cell.Spec{RootFS: t.path, Temporary: []string{toolDir}, Bare: true}
	if !step.Run.NoNetwork {
		if spec.Serve, err = c.serve(); err != nil {
			return oci.Layer{}, err
		}
	}
	options := oci.LayerOptions{Exclude: append(kernelDirs(), toolDir[1:]), Stubs: stubs(t, toolDir), ModTime: time.Unix(s.epoch, 0).UTC()}
	for _, m := range mounts {
		if m.dir != "" {
			spec.Temporary = append(spec.Temporary, m.dir)
		}
		if m.Target != "" {
			options.Exclude = append(options.Exclude, m.Target[1:])
			options.Stubs = append(options.Stubs, stubs(t, m.Target)...)
		}
	}
	if err := c.start(ctx, spec); err != nil {
		return oci.Layer{}, err
	}
	defer c.close()
	if err := c.prepare(ctx, t, step.Run, mounts); err != nil {
		return oci.Layer{}, err
	}
	if err := c.runStep(ctx, step, who, s.runEnv(step.Run, who, mounts)); err != nil {
		return oci.Layer{}, c.explain(ctx, err)
	}
	for _, m := range mounts {
		if err := m.after(ctx, c); err != nil {
			return oci.Layer{}, err
		}
	}
	return s.takeLayer(ctx, c, options)
}

// stubs lists the parents of a mount that the image does not have.
func stubs(t copier.Tree, target string) []string {
	var out []string
	for dir := path.Dir(target); dir != "/" && !exists(t, dir); dir = path.Dir(dir) {
		out = append(out, dir[1:])
	}
	return out
}

// kernelDirs have nothing that belongs in a layer.
func kernelDirs() []string { return []string{"dev", "proc", "sys"} }

// prepare puts into the cell what the program finds there.
func (c *stepCell) prepare(ctx context.Context, t copier.Tree, run *dockerfile.Run, mounts []*mount) error {
	if !exists(t, run.Dir) {
		if err := c.Put(ctx, run.Dir, nothing); err != nil {
			return err
		}
	}
	if run.Script != nil {
		name := strings.TrimPrefix(path.Join(dockerfile.ScriptDir, run.Script.Name), toolDir+"/")
		if err := c.putFile(ctx, name, 0o755, []byte(run.Script.Data)); err != nil {
			return err
		}
	}
	for _, m := range mounts {
		if err := m.before(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

func (c *stepCell) runStep(ctx context.Context, step dockerfile.Step, who *user.ExecUser, env []string) error {
	log := newStepLog(stepLogTail, func(line string) { c.b.progress(api.Progress{Stage: "build", Message: line}) })
	r, err := c.command(ctx, log, cell.Command{
		Argv: step.Run.Argv, Env: env, Dir: step.Run.Dir, As: &cell.Identity{UID: who.Uid, GID: who.Gid, Groups: who.Sgids},
		Stdout: log, Stderr: log,
	})
	if err != nil {
		return err
	}
	if r.Code == 0 && r.Signal == "" {
		return c.refusal(step.Text)
	}
	how := fmt.Sprintf("it ended with status %d", r.Code)
	if r.Signal != "" {
		how = "it was ended by " + r.Signal
	}
	return api.Errorf(api.BuildFailed, "%s: %s", how, lastLine(r.log)).
		WithDetails(api.Details{Got: step.Text, ExitCode: max(r.Code, 0), Signal: r.Signal, Log: lastLines(r.log, 20)})
}

// runEnv is what the Dockerfile gives the program, and what a cell needs beside
// it: the way out goes before all, the rest only where nothing else is said.
func (s *dockerStage) runEnv(run *dockerfile.Run, who *user.ExecUser, mounts []*mount) []string {
	env := slices.Clone(run.Env)
	add := func(variables []string) {
		for _, v := range variables {
			name, _, _ := strings.Cut(v, "=")
			if !slices.ContainsFunc(env, func(have string) bool { return strings.HasPrefix(have, name+"=") }) {
				env = append(env, v)
			}
		}
	}
	for _, m := range mounts {
		if m.Env != "" && m.secret != nil {
			env = append(env, m.Env+"="+string(m.secret))
		}
	}
	if !run.NoNetwork {
		env = slices.DeleteFunc(env, isProxyVariable)
		env = append(env, cell.ProxyEnv()...)
	}
	add([]string{"HOME=" + firstOf(who.Home, "/")})
	if _, ok := s.s.certificates(); ok {
		add(cell.CertificatesEnv())
	}
	add(s.indexes.env())
	return env
}

func isProxyVariable(v string) bool {
	name, _, _ := strings.Cut(v, "=")
	return slices.Contains([]string{"http_proxy", "https_proxy", "all_proxy", "no_proxy"}, strings.ToLower(name))
}
