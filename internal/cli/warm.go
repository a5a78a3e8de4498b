package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/buildcontext"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

// warmFlags are the flags of glovebox warm.
type warmFlags struct {
	cell  cellFlags
	cells int
	json  bool
}

const warmHelp = `List the cells that a server keeps ready, or ask for some.

  glovebox warm                                    the pools of cells
  glovebox warm --cells N [flags]                  Python with these packages
  glovebox warm FILE.py --cells N [flags]          the same for a source with a script block
  glovebox warm FILE.yaml --cells N                every sandbox of a file of tasks
  glovebox warm TASK[@VERSION] --cells N           a deployed task
  glovebox warm --cells N [flags] -- COMMAND       without an interpreter

N cells are then ready at any time, as far as the server has room for them: up,
with Python started and what --preload names imported. Every run with the same
image, limits, modules and kind of network takes one of them first. Each is used
once, and replaced. --cells 0 takes back what was asked for.`

func (c *cli) warmCommand() *cobra.Command {
	var f warmFlags
	cmd := &cobra.Command{
		Use: "warm [FILE|TASK] [flags] [-- COMMAND]", Short: "List the cells that are kept ready, or ask for some", Long: warmHelp,
		Example: "  glovebox warm -p numpy --preload numpy --cells 2\n" +
			"  glovebox run -p numpy --preload numpy -c 'import numpy; n = int(numpy.arange(9).sum())' -o n:int",
		ValidArgsFunction: c.complete(taskNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			p := splitArgs(args, cmd.ArgsLenAtDash(), false)
			asked := cmd.Flags().Changed("cells")
			if err := c.checkWarm(&f, p, asked, cmd.Flags().NFlag() > given(cmd, "cells", "json")); err != nil {
				return err
			}
			return c.with(cmd.Context(), func(service api.Service) error {
				pools, err := c.warmPools(cmd.Context(), service, &f, p, asked)
				if err != nil {
					return err
				}
				return c.printPools(f.json, pools)
			})
		},
	}
	f.cell.register(cmd)
	c.completeSecrets(cmd, "registry-secret")
	cmd.Flags().IntVar(&f.cells, "cells", 0, "keep `N` cells ready; 0 takes it back")
	jsonFlag(cmd, &f.json)
	return cmd
}

// given counts the flags among names that were given.
func given(cmd *cobra.Command, names ...string) int {
	n := 0
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			n++
		}
	}
	return n
}

// checkWarm finds what the command line lacks or has too much of. described says
// that flags describe a cell.
func (c *cli) checkWarm(f *warmFlags, p program, asked, described bool) error {
	switch {
	case !c.remote:
		return usage("there is no server that could keep cells: they live in its process").
			hint("start one with glovebox serve, and name it in %s", serverVariable)
	case len(p.surplus) > 0:
		return usage("unexpected argument %q after %s", p.surplus[0], p.file).hint("write a command after --")
	case p.file != "" && p.hasColon:
		return usage("both %s and a command are given", p.file).hint("give one of them")
	case p.hasColon && len(p.command) == 0:
		return usage("there is no command after --")
	case !asked && (described || p.file != "" || p.hasColon):
		return usage("how many cells shall be ready is not said").hint("add --cells N, or leave out everything else to list the pools")
	case f.cells < 0 || f.cells > api.MaxWarmCells:
		return usage("--cells is %d, expected 0 to %d", f.cells, api.MaxWarmCells)
	case described && p.file != "" && !isSource(p.file):
		return usage("%s says by itself what its cells are like", p.file).hint("leave out all flags but --cells and --json")
	}
	return nil
}

// isSource reports whether an argument names Python source, and not a file of
// tasks or a deployed task.
func isSource(arg string) bool { return arg == "-" || filepath.Ext(arg) == ".py" }

func isTaskFile(arg string) bool {
	ext := filepath.Ext(arg)
	return ext == ".yaml" || ext == ".yml"
}

// warmPools asks for cells, if they were asked for, and returns their pools, or
// all that there are.
func (c *cli) warmPools(ctx context.Context, service api.Service, f *warmFlags, p program, asked bool) ([]api.WarmPool, error) {
	if !asked {
		return service.WarmPools(ctx)
	}
	requests, err := c.warmRequests(ctx, service, f, p)
	if err != nil {
		return nil, err
	}
	pools := make([]api.WarmPool, 0, len(requests))
	for _, r := range requests {
		pool, err := c.keepWarm(ctx, service, r)
		if err != nil {
			return nil, err
		}
		pools = append(pools, *pool)
	}
	return pools, nil
}

// warmRequests reads what cells are asked for. Those of deployed tasks have the
// task too, for its image.
func (c *cli) warmRequests(ctx context.Context, service api.Service, f *warmFlags, p program) ([]api.WarmRequest, error) {
	if isTaskFile(p.file) {
		return taskFileRequests(ctx, service, p.file, f.cells)
	}
	if p.file != "" && !isSource(p.file) {
		version, err := service.Task(ctx, p.file)
		if err != nil {
			return nil, err
		}
		return []api.WarmRequest{{Task: version.Task, Name: versionName(*version), Cells: f.cells}}, nil
	}
	task := &api.Task{Command: p.command}
	if len(p.command) == 0 && p.file == "" {
		task.Code = "pass"
	}
	if err := f.cell.describe(task); err != nil {
		return nil, err
	}
	if err := c.source(task, p); err != nil {
		return nil, err
	}
	if err := buildcontext.TakeAll(ctx, service, task); err != nil {
		return nil, err
	}
	return []api.WarmRequest{{Task: task, Cells: f.cells}}, nil
}

func taskFileRequests(ctx context.Context, service api.Service, path string, cells int) ([]api.WarmRequest, error) {
	file, err := readTasks(ctx, path, service)
	if err != nil {
		return nil, err
	}
	var requests []api.WarmRequest
	for i := range file.Tasks {
		if file.Tasks[i].KindOf() == api.KindSandbox {
			requests = append(requests, api.WarmRequest{Task: &file.Tasks[i], Cells: cells})
		}
	}
	if len(requests) == 0 {
		return nil, usage("%s has no sandbox, and only those have cells", path)
	}
	return requests, nil
}

// keepWarm builds the image first, since that can be watched.
func (c *cli) keepWarm(ctx context.Context, service api.Service, r api.WarmRequest) (*api.WarmPool, error) {
	if r.Cells > 0 && r.Task != nil && r.Task.KindOf() == api.KindSandbox {
		line := newProgress(c.Err, os.Getenv)
		defer line.start()()
		_, err := service.BuildImage(ctx, r.Task.Image, line.show)
		line.clear()
		if err != nil {
			return nil, err
		}
	}
	if r.Name != "" {
		r.Task = nil
	}
	return service.KeepWarm(ctx, r)
}

func (c *cli) printPools(asJSON bool, pools []api.WarmPool) error {
	if asJSON {
		return printJSON(c.Out, append([]api.WarmPool{}, pools...))
	}
	t := c.table("IMAGE", "PROGRAM", "CPU", "MEMORY", "NETWORK", "ASKED", "WANTED", "READY", "STARTING", "HOLD", "TAKEN", "COLD", "DIED", "")
	for _, p := range pools {
		failure := ""
		if p.Error != nil {
			failure = cut(string(p.Error.Code)+": "+p.Error.Message, maxCell)
		}
		resources := p.Resources.WithDefaults()
		t.row(cmp.Or(p.ImageName, shortID(p.Image)), poolProgram(p), fmt.Sprint(resources.CPU), quantity.FormatSize(resources.Memory), yesNo(p.Network),
			fmt.Sprint(p.Asked), fmt.Sprint(p.Wanted), fmt.Sprint(p.Idle), fmt.Sprint(p.Starting), quantity.FormatSize(p.Memory),
			fmt.Sprint(p.Taken), fmt.Sprint(p.Cold), fmt.Sprint(p.Died), failure)
	}
	return t.flush()
}

// poolProgram says what waits in the cells of a pool.
func poolProgram(p api.WarmPool) string {
	switch {
	case !p.Python:
		return "commands"
	case len(p.Preload) == 0:
		return "python"
	}
	return cut("python, "+strings.Join(p.Preload, " "), maxCell)
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
