package cli

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

// retentionFlags say how long a server keeps what was used.
type retentionFlags struct {
	older duration
	runs  []string
}

func (f *retentionFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(&f.older, "prune-older-than", "remove by itself, as glovebox prune does, what was not used for so long, such as 30d; by default nothing")
	flags.StringSliceVar(&f.runs, "keep-runs", nil, "`TASK=TIME` for which runs of a task are kept after their end, in place of the time for all else; repeatable, or with commas")
}

func (f *retentionFlags) given() bool { return f.older > 0 || len(f.runs) > 0 }

func (f *retentionFlags) retention() (api.Retention, error) {
	kept := api.Retention{OlderThan: time.Duration(f.older)}
	if f.older > 0 && kept.OlderThan < api.MinRetention {
		return kept, usage("--prune-older-than is %s, expected at least %s", kept.OlderThan, api.MinRetention).hint("write such as 12h or 30d")
	}
	for _, text := range f.runs {
		task, long, ok := strings.Cut(text, "=")
		if !ok || api.CheckName(task, false) != nil {
			return kept, usage("--keep-runs is %q, expected TASK=TIME", text).hint("write the name of a task, such as desk.price=7d")
		}
		long = strings.TrimSpace(long)
		d, err := quantity.ParseDuration(long)
		if err != nil || d < api.MinRetention {
			return kept, usage("--keep-runs of %s is %q, expected a time of at least %s", task, long, api.MinRetention).hint("write such as %s=7d", task)
		}
		if _, twice := kept.Runs[task]; twice {
			return kept, usage("--keep-runs names %s twice", task).hint("give each task one time")
		}
		if kept.Runs == nil {
			kept.Runs = map[string]time.Duration{}
		}
		kept.Runs[task] = d
	}
	return kept, nil
}
