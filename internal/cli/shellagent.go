package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/box"
)

// agentShell are the flags of an agent in a shell's place.
type agentShell struct {
	name, project, prompt string
	model, url, key       string
	yes                   bool
}

var agentShellFlags = []string{"project", "prompt", "model", "model-url", "key", "yes"}

func (f *agentShell) register(c *cli, cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.name, "agent", "", "run the coding agent `NAME`, or NAME@VERSION, on a copy of the project")
	flags.StringVar(&f.project, "project", ".", "the project of the agent, the `PATH` of a directory")
	flags.StringVar(&f.prompt, "prompt", "", "`TEXT` that the agent shall do, without asking")
	flags.StringVar(&f.model, "model", "", "`MODEL` that the agent asks, as it spells it; the default is its own")
	flags.StringVar(&f.url, "model-url", "", "`URL` of another server that speaks as the agent's does")
	flags.StringVar(&f.key, "key", "", "stored `SECRET` that is the key of the model; the default is the name of the variable that the agent reads")
	flags.BoolVar(&f.yes, "yes", false, "accept all changes of the agent without a question")
	completeFlag(cmd, "agent", oneOf(box.Names()))
	c.completeSecrets(cmd, "key")
}

// stray is a flag of an agent that was given without one.
func (f *agentShell) stray(cmd *cobra.Command) string {
	i := slices.IndexFunc(agentShellFlags, cmd.Flags().Changed)
	if i < 0 {
		return ""
	}
	return agentShellFlags[i]
}

// limits leaves to the agent what no flag says.
func (f *agentShell) limits(cmd *cobra.Command, spec *api.SessionSpec) {
	if !cmd.Flags().Changed("cpu") {
		spec.Resources.CPU = 0
	}
	if !cmd.Flags().Changed("memory") {
		spec.Resources.Memory = 0
	}
}

func (f *agentShell) job(project *box.Project, spec api.SessionSpec) (box.Job, error) {
	agent, err := box.Find(f.name)
	if err != nil {
		return box.Job{}, err
	}
	if spec.Labels["agent"] == "" {
		spec.Labels = api.JoinLabels(spec.Labels, map[string]string{"agent": agent.Name})
	}
	o := box.Options{Model: f.model, BaseURL: f.url, Key: f.key}
	o.Asks = agent.Asks(o, spec.Secrets)
	return box.Job{Agent: agent, Project: project, Prompt: f.prompt, Session: spec, Options: o}, nil
}

// shellAgent runs an agent in a new session, and makes the changes that are accepted.
func (c *cli) shellAgent(ctx context.Context, s api.Sessions, f *agentShell, spec api.SessionSpec, pause bool) error {
	if _, err := f.job(nil, spec); err != nil { // before a project is read
		return err
	}
	if f.prompt == "" && inputTerminal(c.In) < 0 {
		return usage("an agent without a prompt asks on a terminal, and there is none").hint("say what it shall do with --prompt TEXT")
	}
	project, err := box.Open(f.project)
	if err != nil {
		return err
	}
	defer project.Close()
	if err := takeContext(ctx, s, &spec); err != nil {
		return err
	}
	job, err := f.job(project, spec)
	if err != nil {
		return err
	}
	b, err := c.startAgent(ctx, s, job)
	if err != nil {
		return err
	}
	keep, worked := c.work(ctx, s, f, job, b)
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), lastPatience)
	defer stop()
	if pause || keep {
		return errors.Join(worked, c.pauseAgain(last, s, b.ID))
	}
	return errors.Join(worked, s.KillSession(last, b.ID))
}

// startAgent starts the session, whose image is built first.
func (c *cli) startAgent(ctx context.Context, s api.Sessions, job box.Job) (*box.Box, error) {
	spec, err := job.Spec()
	if err != nil {
		return nil, err
	}
	if err := c.build(ctx, s, &spec); err != nil {
		return nil, err
	}
	fmt.Fprintf(c.Err, "glovebox: %s gets %d files of %s (%d bytes), and reaches %s\n",
		job.Agent.Product, job.Project.Files, visible(job.Project.Dir), job.Project.Bytes, reach(spec))
	c.printLeftOut("left here", job.Project.LeftOut)
	b, err := box.Start(ctx, s, job)
	if err != nil && b != nil {
		last, stop := context.WithTimeout(context.WithoutCancel(ctx), lastPatience)
		defer stop()
		return nil, errors.Join(err, s.KillSession(last, b.ID))
	}
	return b, err
}

func reach(spec api.SessionSpec) string {
	hosts := spec.Network.Allow
	if spec.Asks != nil {
		hosts = slices.Concat([]string{"its model"}, hosts)
	}
	if spec.Network.Public {
		return "every public address"
	}
	return visible(strings.Join(hosts, ", ")) + " only"
}

// work runs the agent, and settles what it changed. keep says that its session has
// something that is nowhere else.
func (c *cli) work(ctx context.Context, s api.Sessions, f *agentShell, job box.Job, b *box.Box) (keep bool, err error) {
	answers := newAnswers(c.In)
	exit, err := c.runAgent(ctx, s, b, answers)
	if err != nil {
		return true, err
	}
	changes, err := b.Changes(ctx)
	if err != nil {
		return true, err
	}
	settled := c.settle(ctx, changes, answers, f.yes)
	if err := errors.Join(settled, changes.Close()); err != nil {
		return true, err
	}
	if exit.Status != 0 {
		fmt.Fprintf(c.Err, "glovebox: %s ended with status %d\n", job.Agent.Product, exit.Status)
		return false, silentExit(exit.Status)
	}
	return false, nil
}

// runAgent attaches this terminal to the agent, unless it has a prompt.
func (c *cli) runAgent(ctx context.Context, s api.Sessions, b *box.Box, answers *answers) (*api.ProcessExit, error) {
	spec := b.Command()
	if b.Asks() {
		askTerminal(&spec)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	in := c.In
	defer func() { c.In = in }()
	c.In = answers.until(ctx)
	return c.attach(ctx, s, b.ID, spec)
}

// printLeftOut says what stays where it is, by its reason.
func (c *cli) printLeftOut(where string, left []box.LeftOut) {
	var reasons []string
	names := map[string][]string{}
	for _, l := range left {
		if names[l.Reason] == nil {
			reasons = append(reasons, l.Reason)
		}
		names[l.Reason] = append(names[l.Reason], visible(l.Path))
	}
	for _, reason := range reasons {
		all := names[reason]
		text := strings.Join(all[:min(len(all), maxCandidates)], ", ")
		if more := len(all) - maxCandidates; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		fmt.Fprintf(c.Err, "glovebox: %s, %s: %s\n", where, reason, text)
	}
}
