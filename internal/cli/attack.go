package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/attack"
	"github.com/glovebox-dev/glovebox/internal/home"
)

// attackFlags ask the doctor for attacks on this host.
type attackFlags struct {
	form string
	html string // path of a file
	json bool
}

// attackHere attacks the engine of this program, and fails if an attack succeeded or
// none could be tried.
func (c *cli) attackHere(ctx context.Context, f attackFlags) error {
	form := attack.Form(f.form)
	if form != attack.Short && form != attack.All {
		return usage("--attack is %q, expected short or all", f.form).hint("write --attack for what takes about a minute, or --attack=all")
	}
	if c.remote {
		return usage("--attack attacks the program and the host that it is on, and %s names a server", serverVariable).
			hint("unset %s, and attack on the host of the server", serverVariable)
	}
	file, err := reportFile(f.html)
	if err != nil {
		return err
	}
	report, err := c.attacked(ctx, form, f.json)
	if file != nil {
		if err == nil {
			err = report.WriteHTML(file)
		}
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return err
	}
	if err := c.printReport(f, report); err != nil {
		return err
	}
	if report.Broken > 0 || report.Held == 0 {
		return silentExit(1)
	}
	return nil
}

// reportFile makes the file before anything is tried, so that a minute is not lost.
func reportFile(path string) (*os.File, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Create(filepath.Clean(path))
	if err != nil {
		return nil, usage("--html: %v", err).hint("name a file in a directory that you can write to")
	}
	return file, nil
}

// attacked tries everything, and shows what became of it as it comes.
func (c *cli) attacked(ctx context.Context, form attack.Form, quiet bool) (report *attack.Report, err error) {
	images, err := home.Find("", os.Getenv)
	if err != nil {
		return nil, err
	}
	target, err := attack.Install(ctx, c.engine, images)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	bench, err := attack.NewBench(target)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, bench.Close()) }()
	var before attack.Result
	found := attack.Run(ctx, bench, attack.Cases(), form, func(r attack.Result) {
		if !quiet {
			c.printResult(r, before)
		}
		before = r
	})
	if ctx.Err() != nil {
		return nil, api.Errorf(api.Canceled, "the attacks were given up after %d of %d", len(found.Results), len(attack.Cases())).
			WithHint("nothing of them is left; begin again, if that was not meant")
	}
	if found.Host, err = target.Weak(ctx); err != nil {
		return nil, err
	}
	found.Version, found.Isolation, found.User = c.version, c.engine.Isolation(), "ordinary"
	if os.Geteuid() == 0 {
		found.User = "root"
	}
	return &found, nil
}

// verdicts are the words for the terminal.
var verdicts = map[attack.Verdict]string{attack.Held: "held", attack.Broken: "BROKEN", attack.Unenforceable: "cannot", attack.Untried: "untried"}

// printResult prints a detail once for those in a row that share it: all that need an
// image lack the same one.
func (c *cli) printResult(r, before attack.Result) {
	id, _, _ := strings.Cut(r.Name, "_")
	fmt.Fprintf(c.Out, "%-8s%-12s%-5s%s\n", verdicts[r.Verdict], r.Area, id, r.Tries)
	if r.Detail != "" && r.Detail != before.Detail {
		fmt.Fprintf(c.Out, "%25s%s\n", "", visible(r.Detail))
	}
}

func (c *cli) printReport(f attackFlags, r *attack.Report) error {
	if f.json {
		return printJSON(c.Out, r)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n%d held, %d broken, %d cannot be enforced on this host, %d not tried; %s\n",
		r.Conclusion(), r.Held, r.Broken, r.Unenforceable, r.Untried, r.Took.Round(1e8))
	if len(r.Host) > 0 {
		b.WriteString("\nWhat this host cannot do better:\n")
	}
	for _, finding := range r.Host {
		fmt.Fprintf(&b, "  %s: %s\n", finding.Subject, visible(finding.Detail))
	}
	changes := r.Changes()
	if len(changes) > 0 {
		b.WriteString("\nWhat to change:\n")
	}
	for _, change := range changes {
		fmt.Fprintf(&b, "  %s\n", visible(change))
	}
	if f.html != "" {
		fmt.Fprintf(&b, "\nThe report is in %s.\n", f.html)
	}
	_, err := fmt.Fprint(c.Out, b.String())
	return err
}
