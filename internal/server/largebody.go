package server

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/internal/budget"
	"github.com/glovebox-dev/glovebox/value"
)

// largeBody is the size from which the inputs are taken out of a body before
// the rest is decoded, so that they are in memory once. What reads the inputs
// checks their grammar again, and encoding/json would go through them twice.
const largeBody = 64 << 10

// apart are the inputs that were taken out of the body of a request.
type apart struct{ inputs *io.SectionReader }

type apartKey struct{}

// takeApart returns the body without its inputs, if they can be taken out.
func (a *apart) takeApart(body *budget.Text) (rest io.Reader, size int64, err error) {
	if body.Size() < largeBody {
		return body.Reader(), body.Size(), nil
	}
	rest, a.inputs, err = cutInputs(body, body.Size())
	if size = body.Size(); a.inputs != nil {
		size += int64(len(noInputs)) - a.inputs.Size()
	}
	return rest, size, err
}

// takeInputs gives the submission the inputs that were taken out of its body.
func (given *submission) takeInputs(ctx context.Context) {
	if a, ok := ctx.Value(apartKey{}).(*apart); ok {
		given.long, a.inputs = a.inputs, nil
	}
}

// decodeLong reads the inputs that were taken out of the body: floats as they come,
// which are ASCII, and anything else into memory, for others to decode.
func (given *submission) decodeLong(params []value.Param) (inputs value.Fields, ok bool, err error) {
	if given.long == nil {
		return inputs, false, nil
	}
	if inputs, ok = value.ReadFloats(params, given.long); ok {
		return inputs, true, nil
	}
	given.Inputs = make([]byte, given.long.Size())
	if _, err := given.long.ReadAt(given.Inputs, 0); err != nil && err != io.EOF {
		return inputs, false, err
	}
	if !utf8.Valid(given.Inputs) {
		return inputs, false, notUTF8()
	}
	return inputs, false, nil
}

// noInputs stand in a body for those that were taken out of it.
const noInputs = "{}"

// cutInputs returns a body in which the inputs are empty, and the inputs, which
// whoever reads them judges, see decodeLong and firstFault. Without inputs that can
// be cut out, the body is as it is.
func cutInputs(body io.ReaderAt, size int64) (rest io.Reader, inputs *io.SectionReader, err error) {
	part := func(from, to int64) *io.SectionReader { return io.NewSectionReader(body, from, to-from) }
	var found finder
	if err := eachChunk(part(0, size), found.read); err != nil {
		return nil, nil, err
	}
	if !found.ok() {
		return part(0, size), nil, nil
	}
	rest = io.MultiReader(part(0, found.start), strings.NewReader(noInputs), part(found.end, size))
	return rest, part(found.start, found.end), nil
}

// eachChunk reads a text piece by piece.
func eachChunk(text io.Reader, read func(chunk []byte)) error {
	buffer := make([]byte, 32<<10)
	for {
		n, err := text.Read(buffer)
		read(buffer[:n])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// firstFault returns what is wrong with the JSON of the inputs, else err.
func (given *submission) firstFault(err error) error {
	if len(given.Inputs) == 0 {
		return err
	}
	if wrong := decodeStrictly(given.Inputs, new(json.RawMessage)); wrong != nil {
		return wrong
	}
	return err
}
