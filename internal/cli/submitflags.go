package cli

import (
	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

// submitFlags say what is kept with a new run, and who hears of its end. All commands that start
// a run have them.
type submitFlags struct {
	notify, labels, selector []string
	priority                 int
	prioritized              func() bool
}

func (f *submitFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.labels, "label", nil, "label of the run as `NAME=VALUE`, by which glovebox runs finds it; repeatable")
	flags.StringArrayVar(&f.selector, "node-selector", nil, "label that the node of the run has to have as `NAME=VALUE`; repeatable")
	flags.IntVar(&f.priority, "priority", 0, "of the run among those that wait, from -10 to `10`: the higher is first, and each step is worth 30 seconds of waiting")
	f.prioritized = func() bool { return flags.Changed("priority") }
	flags.StringArrayVar(&f.notify, "notify", nil, "tell a URL of the end of the run, signed with a stored secret: `SECRET=URL`, or SECRET:EVENTS=URL with ended, succeeded, failed or canceled, with commas; repeatable")
}

// given names the first of the flags that is given, or nothing.
func (f *submitFlags) given() string {
	switch {
	case len(f.notify) > 0:
		return "--notify"
	case len(f.labels) > 0:
		return "--label"
	case len(f.selector) > 0:
		return "--node-selector"
	case f.prioritized():
		return "--priority"
	}
	return ""
}

// checkKept refuses the flags where nothing is kept of the run.
func (f *submitFlags) checkKept() error {
	if name := f.given(); name != "" {
		return usage("both %s and --durable=false are given", name).hint("what keeps nothing has no labels, selects no node, waits for nothing, and tells nobody")
	}
	return nil
}

// submission reads the flags into the beginning of a submission.
func (f *submitFlags) submission() (s api.Submission, err error) {
	if s.Notify, err = parseNotify(f.notify); err != nil {
		return s, err
	}
	if s.Labels, err = parseLabels("label", f.labels); err != nil {
		return s, err
	}
	if s.NodeSelector, err = parseLabels("node-selector", f.selector); err != nil {
		return s, err
	}
	if err := api.NodeLabels.Check(s.NodeSelector); err != nil {
		return s, err
	}
	if f.prioritized() {
		s.Priority = &f.priority
	}
	if err := api.CheckPriority(f.priority); err != nil {
		return s, err
	}
	return s, api.RunLabels.Check(s.Labels)
}

// noteReceivers says what is missing if a run of the task, started so, tells others.
func (c *cli) noteReceivers(s *api.Submission, task *api.Task) {
	if len(s.Notify) > 0 || task != nil && len(task.Notify) > 0 {
		c.noteNoServer(notifyNeed)
	}
}

// parseLabels reads flags of a name, each NAME=VALUE.
func parseLabels(flag string, flags []string) (map[string]string, error) {
	labels, wrong := api.ReadLabels(flags)
	switch {
	case wrong == nil:
		return labels, nil
	case wrong.Name == "":
		return nil, usage("--%s %s is no label", flag, wrong.Text).hint("write: --%s NAME=VALUE", flag)
	}
	return nil, usage("--%s gives %s two values, %s and %s", flag, wrong.Name, wrong.Before, wrong.Value).hint("give each label once")
}
