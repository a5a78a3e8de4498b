package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// stdinInput is the input that --stdin declares.
const stdinInput = "stdin"

// standardInput makes an input of standard input, and that the one of the program.
func (r *inputs) standardInput(task *api.Task, given value.Fields) (none value.Fields, err error) {
	if task.Mode() == api.AutoIO {
		return none, usage("--stdin is for commands, and for scripts with --verbatim").
			hint("code gets standard input as a variable: -i NAME=-, or -i NAME:File=-")
	}
	for _, p := range task.Signature.Inputs {
		if p.Name == stdinInput {
			return none, usage("--stdin declares the input %s, and so does -i or --inputs", stdinInput).hint("give one of them, or the other input another name")
		}
	}
	from, err := r.cli.stdin("--stdin")
	if err != nil {
		return none, err
	}
	path, err := r.spooled(stdinInput, from)
	if err != nil {
		return none, err
	}
	param := value.Param{Name: stdinInput, Type: value.Type{Kind: value.KindFile}}
	file, err := pathValue(param, path)
	if err != nil {
		return none, err
	}
	task.Signature.Inputs = append(task.Signature.Inputs, param)
	task.Stdin = stdinInput
	return value.Merge(given, file), nil
}

// warnOfStdin warns that a command does not get the data on standard input. It
// reads none of it, and does not wait: in a loop of a shell, or below ssh and
// cron, standard input belongs to something else, or never ends.
func (c *cli) warnOfStdin(p program) {
	if c.reading == "" && len(p.command) > 0 && waits(c.In) {
		fmt.Fprintln(c.Err, "glovebox: standard input is not passed on; give it with --stdin, or with -i NAME:File=- as the file /var/inputs/NAME")
	}
}

// waits says whether there is something to be read from a pipe or a file.
func waits(in io.Reader) bool {
	f, ok := in.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		return false
	case info.Mode().IsRegular():
		at, err := f.Seek(0, io.SeekCurrent)
		return err == nil && at < info.Size()
	case info.Mode()&os.ModeNamedPipe == 0:
		return false
	}
	return pipeWaits(f)
}
