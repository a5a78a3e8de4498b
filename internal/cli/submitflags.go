package cli

import (
	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

// submitFlags say what is kept with a new run, and who hears of its end. All commands that start
// a run have them.
type submitFlags struct{ notify, labels []string }

func (f *submitFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.labels, "label", nil, "label of the run as `NAME=VALUE`, by which glovebox runs finds it; repeatable")
	flags.StringArrayVar(&f.notify, "notify", nil, "tell a URL of the end of the run, signed with a stored secret: `SECRET=URL`, or SECRET:EVENTS=URL with ended, succeeded, failed or canceled, with commas; repeatable")
}

// given names the first of the flags that is given, or nothing.
func (f *submitFlags) given() string {
	switch {
	case len(f.notify) > 0:
		return "--notify"
	case len(f.labels) > 0:
		return "--label"
	}
	return ""
}

// checkKept refuses the flags where nothing is kept of the run.
func (f *submitFlags) checkKept() error {
	if name := f.given(); name != "" {
		return usage("both %s and --durable=false are given", name).hint("what keeps nothing has no labels, and tells nobody")
	}
	return nil
}

// submission reads the flags into the beginning of a submission.
func (f *submitFlags) submission() (s api.Submission, err error) {
	if s.Notify, err = parseNotify(f.notify); err != nil {
		return s, err
	}
	if s.Labels, err = parseLabels(f.labels); err != nil {
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

// parseLabels reads flags of the form NAME=VALUE.
func parseLabels(flags []string) (map[string]string, error) {
	labels, wrong := api.ReadLabels(flags)
	switch {
	case wrong == nil:
		return labels, nil
	case wrong.Name == "":
		return nil, usage("--label %s is no label", wrong.Text).hint("write: --label NAME=VALUE")
	}
	return nil, usage("--label gives %s two values, %s and %s", wrong.Name, wrong.Before, wrong.Value).hint("give each label once")
}
