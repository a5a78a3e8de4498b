package cli

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

// cellFlags say in which cell a program runs; run and warm share them.
type cellFlags struct {
	image   imageFlags
	cpu     cores
	memory  size
	env     []string
	network string
	preload []string
}

func (f *cellFlags) register(cmd *cobra.Command) {
	f.image.register(cmd)
	flags := cmd.Flags()
	f.cpu = api.DefaultCPU
	flags.Var(&f.cpu, "cpu", "limit of CPU, such as 0.5 or 2")
	f.memory = size(api.DefaultMemory)
	flags.Var(&f.memory, "memory", "limit of memory")
	flags.StringArrayVarP(&f.env, "env", "e", nil, "environment variable as `KEY=VALUE`, or KEY to take it from here; repeatable")
	flags.StringVar(&f.network, "network", "none", "none, public, or the `DOMAINS` that may be reached, with commas")
	completeFlag(cmd, "network", oneOf(networks))
	flags.StringArrayVar(&f.preload, "preload", nil, "import `MODULE` before the code starts, ahead of time where cells are kept warm; repeatable")
}

// describe puts what the flags say into the task.
func (f *cellFlags) describe(task *api.Task) (err error) {
	if task.Image, err = f.image.given(); err != nil {
		return err
	}
	if task.Network, err = parseNetwork("network", f.network); err != nil {
		return err
	}
	task.Resources, task.Preload = api.Resources{CPU: float64(f.cpu), Memory: int64(f.memory)}, f.preload
	task.Env, err = parseEnv("-e", f.env, os.LookupEnv)
	return err
}
