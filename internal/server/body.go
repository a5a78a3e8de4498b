package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
)

// jsonBody is the JSON body of a request. It is decoded once and strictly; huma
// would parse it into a tree first, several times as large as the text.
type jsonBody[T any] struct {
	value T
	err   error
}

// Schema says in the document that the body is a T.
func (jsonBody[T]) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[T](), true, "")
}

func (b *jsonBody[T]) decode(text []byte) {
	b.err = decodeStrictly(text, &b.value)
}

// get returns the body; one that was left out is zero.
func (b *jsonBody[T]) get() (*T, error) { return &b.value, b.err }

// decodeStrictly reads one JSON document of known fields. The error is an
// *api.Error.
func decodeStrictly(text []byte, v any) error {
	if !utf8.Valid(text) {
		return notUTF8()
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return decodeError(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return malformed("something follows the JSON document")
	}
	return refuseNulls(text, reflect.TypeOf(v).Elem())
}

func notUTF8() *api.Error { return malformed("the body is not UTF-8") }

func malformed(format string, args ...any) *api.Error {
	return api.Errorf(api.RequestInvalid, format, args...).WithDetails(api.Details{Field: "body", Expected: "one JSON document"})
}

func decodeError(err error) error {
	if known, ok := api.FindError(err); ok {
		return known
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return api.Errorf(api.RequestInvalid, "%s: expected %s, got %s", orBody(wrong.Field), typeWord(wrong.Type), wrong.Value).
			WithDetails(api.Details{Field: orBody(wrong.Field), Expected: typeWord(wrong.Type), Got: wrong.Value})
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return api.Errorf(api.RequestInvalid, "the field %s is not known", name).
			WithDetails(api.Details{Field: strings.Trim(name, `"`), Expected: "only fields of the document of the API", Got: name})
	}
	return malformed("the body is not valid JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
}

func orBody(field string) string {
	if field == "" {
		return "body"
	}
	return field
}

// typeWord says what JSON holds a Go type.
func typeWord(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Struct, reflect.Map, reflect.Pointer:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return fmt.Sprintf("an integer of type %s", t.Kind())
}

// jsonFormat is how huma reads and writes JSON.
func jsonFormat() huma.Format {
	return huma.Format{Marshal: writeJSON, Unmarshal: func(text []byte, v any) error {
		if b, ok := v.(interface{ decode([]byte) }); ok {
			b.decode(text)
			return nil
		}
		return decodeStrictly(text, v)
	}}
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// rawBody gives the handler of an operation the body as a stream.
type rawBody struct{ r io.Reader }

// Resolve is called by huma.
func (b *rawBody) Resolve(ctx huma.Context) []error {
	b.r = ctx.BodyReader()
	return nil
}

// pacedBody cuts off a body that comes too slowly: every byte buys time, and
// only the time spent in Read counts.
type pacedBody struct {
	io.ReadCloser
	control *http.ResponseController
	left    time.Duration // to wait for what comes next
}

// minimumRate is what a body has to keep up with, in bytes a second, once its
// grace is used up.
const minimumRate = 16 << 10

func (b *pacedBody) Read(p []byte) (int, error) {
	began := time.Now()
	_ = b.control.SetReadDeadline(began.Add(b.left)) // a recorder of a test has none
	n, err := b.ReadCloser.Read(p)
	b.left += time.Duration(n)*time.Second/minimumRate - time.Since(began)
	if err != nil { // also at the end: what comes next is another request
		_ = b.control.SetReadDeadline(deadlineAfter(err))
	}
	return n, err
}

// deadlineAfter returns the read deadline once a body has ended with err: none
// after its end, for the server now watches whether the client leaves.
func deadlineAfter(err error) time.Time {
	if errors.Is(err, io.EOF) {
		return time.Time{}
	}
	return time.Now()
}
