package attack

import (
	"context"
	"fmt"

	"github.com/glovebox-dev/glovebox/api"
)

func outputCases() []Case {
	return []Case{
		{Name: "O01_output_is_a_link", Area: Outputs, Tries: "hand out a file of this host, by an output that is a link to it", Attack: outputIsALink},
		{Name: "O01_link_in_a_directory", Area: Outputs, Tries: "do the same within a directory", Attack: linkInADirectory},
		{Name: "O03_output_is_no_file", Area: Outputs, Tries: "have the host wait for a pipe or a socket in place of an output", Attack: outputIsNoFile},
		{Name: "O04_names_in_a_directory", Area: Outputs, Tries: "hand out names with line breaks, of no text, or that differ by case alone", Attack: strangeNames},
		{Name: "O06_output_of_another_type", Area: Outputs, Tries: "hand out text where a number was declared", Attack: anotherType},
		{Name: "R05_sparse_output", Area: Outputs, Tries: "hand out a file that says it has a tebibyte", Attack: sparseOutput},
		{Name: "O07_many_files", Area: Outputs, Tries: "hand out more files than the limit", Attack: manyFiles},
	}
}

// outputIsALink tries links of every kind by each type that reads a file.
func outputIsALink(ctx context.Context, b *Bench) error {
	for _, target := range []string{b.canary, "../../../../../../.." + b.canary, "/etc/passwd", "out", "/"} {
		for _, kind := range []string{"File", "str", "Dir"} {
			if err := b.badOutput(ctx, kind, fmt.Sprintf("os.symlink(%q, out)", target)); err != nil {
				return err
			}
		}
	}
	return nil
}

func linkInADirectory(ctx context.Context, b *Bench) error {
	return b.badOutput(ctx, "Dir", fmt.Sprintf("os.makedirs(out, exist_ok=True); os.symlink(%q, out + '/link')", b.canary))
}

func outputIsNoFile(ctx context.Context, b *Bench) error {
	for _, make := range []string{"os.mkfifo(out)", "import socket; os.chdir(os.path.dirname(out)); socket.socket(socket.AF_UNIX).bind('out')"} {
		if err := b.badOutput(ctx, "File", make); err != nil {
			return err
		}
	}
	return nil
}

func strangeNames(ctx context.Context, b *Bench) error {
	for _, name := range []string{`out + "/a\nb"`, `out.encode() + b"/\xff"`, `out + "/a", "w"); open(out + "/A"`} {
		if err := b.badOutput(ctx, "Dir", "os.makedirs(out, exist_ok=True); open("+name+", 'w')"); err != nil {
			return err
		}
	}
	return nil
}

func anotherType(ctx context.Context, b *Bench) error {
	return b.badOutput(ctx, "int", "open(out, 'w').write('abc')")
}

// badOutput executes code that makes an output which has to be refused.
func (b *Bench) badOutput(ctx context.Context, kind, code string) error {
	return b.refused(ctx, Job{Code: "import os; out = os.environ['OUT']; " + code, Output: kind}, api.BadOutput)
}

func sparseOutput(ctx context.Context, b *Bench) error {
	return b.refused(ctx, Job{Code: "import os; open(os.environ['OUT'], 'wb').truncate(1 << 40)", Output: "File"}, api.OutputTooLarge)
}

func manyFiles(ctx context.Context, b *Bench) error {
	return b.refused(ctx, Job{Code: "import os; out = os.environ['OUT']; os.makedirs(out, exist_ok=True)\nfor i in range(200): open(out + '/%d' % i, 'w')",
		Output: "Dir", Limits: api.RunLimits{OutputFiles: 100}}, api.OutputTooLarge)
}
