package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// output decides where the program's own output goes and prints the result.
type output struct {
	stdout, stderr io.Writer // of the program, while it runs; nil discards
	print          func(*api.Result, error) error
}

// log prints an entry of a log where it belongs.
func (o output) log(e api.LogEntry) error {
	switch e.Stream {
	case streamStdout:
		_, err := o.stdout.Write(e.Bytes())
		return err
	case streamStderr:
		_, err := o.stderr.Write(e.Bytes())
		return err
	}
	return nil // what Glovebox has to say is in the result
}

// output returns where output goes: into the result with --json; to standard
// output, which then holds the outputs only, if outputs are declared; otherwise
// to the two streams as the program wrote it.
func (c *cli) output(f followFlags, declared bool, line *progress) output {
	place := line.before(c.Err)
	switch {
	case f.json:
		return output{print: func(r *api.Result, err error) error {
			c.answered = true
			return printWhole(c.Out, r, err)
		}}
	case declared:
		a, b := shareLines(place)
		stdout, stderr := forTerminal(a, c.Err, f.raw), forTerminal(b, c.Err, f.raw)
		return output{stdout, stderr, func(r *api.Result, err error) error {
			flushed := errors.Join(stdout.flush(), a.flush(), stderr.flush(), b.flush())
			line.fresh()
			if err != nil || flushed != nil {
				return flushed
			}
			return printOutputs(c.Out, r.Outputs)
		}}
	}
	out := c.Out
	if terminal(c.Out) != nil && terminal(c.Err) != nil { // the line is shown there, too
		out = line.before(c.Out)
	}
	stdout, stderr := forTerminal(out, c.Out, f.raw), forTerminal(place, c.Err, f.raw)
	return output{stdout, stderr, func(*api.Result, error) error { return errors.Join(stdout.flush(), stderr.flush()) }}
}

// printJSON writes v as one line.
func printJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(document(w))
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// printIndented writes v as JSON that people can read.
func printIndented(w io.Writer, v any) error {
	encoder := json.NewEncoder(document(w))
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// printOutputs writes the outputs as one object, in declaration order.
func printOutputs(w io.Writer, outputs []api.Output) error {
	object, err := encodeOutputs(outputs)
	if err != nil {
		return err
	}
	_, err = document(w).Write(append(object, '\n'))
	return err
}

func encodeOutputs(outputs []api.Output) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, out := range outputs {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(out.Name)
		if err != nil {
			return nil, err
		}
		value, err := value.EncodeJSON(out.Type, out.Value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// whole is the form of --json. Bytes of stdout and stderr that are not UTF-8
// read as U+FFFD.
type whole struct {
	RunID    string           `json:"run_id"`
	Outputs  json.RawMessage  `json:"outputs"`
	Stdout   string           `json:"stdout"`
	Stderr   string           `json:"stderr"`
	ExitCode int              `json:"exit_code"`
	Image    string           `json:"image"`
	Cached   bool             `json:"cached"`
	Attempts int              `json:"attempts"`
	Timings  api.Timings      `json:"timings"`
	Usage    api.Usage        `json:"usage"`
	Network  []api.Connection `json:"network"`
	Error    *api.Error       `json:"error"`
	// Of an evaluation, which has no run.
	Calls     []api.MadeCall `json:"calls,omitempty"`
	CallsMade int            `json:"calls_made,omitempty"`
}

func printWhole(w io.Writer, r *api.Result, failure error) error {
	outputs, err := encodeOutputs(r.Outputs)
	if err != nil {
		return err
	}
	return printJSON(w, whole{
		RunID: r.RunID, Outputs: outputs, Stdout: string(r.Stdout), Stderr: string(r.Stderr), ExitCode: r.ExitCode,
		Image: r.Image, Cached: r.Cached, Attempts: r.Attempts, Timings: r.Timings, Usage: r.Usage,
		Network: append([]api.Connection{}, r.Network...), Error: api.AsError(failure),
		Calls: r.Calls, CallsMade: r.CallsMade,
	})
}
