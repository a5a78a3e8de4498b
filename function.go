package glovebox

import (
	"context"
	"reflect"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Function is a Go function as a task: it runs in this process, with all that
// the process may do, and not in a cell. Make one with NewFunction.
type Function struct {
	*function
}

type function struct {
	task      api.Task
	call      code
	versioned bool // by WithVersion
}

func (f Function) define(s scope) (*api.Task, []Function, error) {
	if f.function == nil {
		return nil, nil, errNoFunction()
	}
	task := f.task
	if s.names != nil {
		id, err := s.names.of(f.function)
		if err != nil {
			return nil, nil, err
		}
		task.Function, s.bound[id] = &api.Function{ID: id}, f.function
	}
	return &task, []Function{f}, nil
}

// ID names the code of the function: its name and its version. A run that was
// started with the function neither registered nor of a version calls it by an
// id of its own, which begins with this one.
func (f Function) ID() string {
	if f.function == nil {
		return ""
	}
	return f.task.Function.ID
}

func errNoFunction() *api.Error {
	return api.Errorf(api.InvalidTask, "the function has no code").
		WithHint("make it with NewFunction").WithDetails(api.Details{Field: "function"})
}

// NewFunction makes a task of a Go function. Its inputs and outputs are those
// of the Go types, as the table in the package documentation says.
//
// The inputs are either the fields of one struct, named as those of Func, or
// parameters that WithParams names. A context may come before them. The output
// is the fields of a struct, or one value, which is named result, or nothing.
// An error may come after it:
//
//	func(ctx context.Context, in Order) (Receipt, error)
//	func(x, y int) int, with WithParams("x", "y")
//
// An error that the function returns fails the run as function_failed, unless
// it is an *Error. It may be called from several goroutines concurrently, and
// should end when its context does.
func NewFunction(name string, fn any, opts ...FunctionOption) (Function, error) {
	var o functionOptions
	for _, opt := range opts {
		opt(&o)
	}
	shape, err := shapeOf(name, fn, o.params)
	if err != nil {
		return Function{}, err
	}
	task := o.task
	task.Name, task.Kind, task.Signature = name, api.KindFunction, shape.signature
	if err := setDefaults(task.Signature.Inputs, o.defaults); err != nil {
		return Function{}, err
	}
	task.Function = &api.Function{ID: functionID(name, o.version, shape.signature)}
	return Function{&function{task: task, call: shape.call, versioned: o.version != ""}}, nil
}

// MustFunction does what NewFunction does, and panics where that fails: for
// functions that are made once, when the program starts.
func MustFunction(name string, fn any, opts ...FunctionOption) Function {
	f, err := NewFunction(name, fn, opts...)
	if err != nil {
		panic(err)
	}
	return f
}

// functionID names the code. Without a version, the signature takes its place.
func functionID(name, version string, s api.Signature) string {
	if version == "" {
		text := value.DescribeParams(s.Inputs) + " -> " + value.DescribeParams(s.Outputs)
		version = api.DigestOf([]byte(text))[len("sha256:"):][:12]
	}
	return name + "@" + version
}

// setDefaults stores defaults in the parameters that they are for.
func setDefaults(params []value.Param, defaults Values) error {
	left := len(defaults)
	for i, p := range params {
		v, ok := defaults[p.Name]
		if !ok {
			continue
		}
		var err error
		if params[i], err = p.WithDefault(v); err != nil {
			return api.AsError(err)
		}
		left--
	}
	if left == 0 {
		return nil
	}
	return api.Errorf(api.InvalidTask, "there is a default for an input that the function does not have; its inputs are (%s)", value.DescribeParams(params)).
		WithDetails(api.Details{Field: "defaults"})
}

type functionOptions struct {
	task     api.Task
	params   []string
	version  string
	defaults Values
}

// A FunctionOption says something about a function that its Go type does not.
type FunctionOption func(*functionOptions)

// WithParams names the parameters of a function, in order, without a context.
func WithParams(names ...string) FunctionOption {
	return func(o *functionOptions) { o.params = names }
}

// WithDefaults gives inputs values that they have when none is given.
func WithDefaults(v Values) FunctionOption { return func(o *functionOptions) { o.defaults = v } }

// WithDoc says what the function does, for people and models.
func WithDoc(doc string) FunctionOption { return func(o *functionOptions) { o.task.Doc = doc } }

// WithVersion names the version of the code. Give it and change it with the
// code, if results of the function may be cached, or if runs have to find it in
// another process. Functions of the same name and version are the same to runs:
// while one is offered in a process, another one there is a conflict.
func WithVersion(version string) FunctionOption {
	return func(o *functionOptions) { o.version = version }
}

// WithIdempotent says that the function can safely be called again when its
// outcome is unknown, as after a crash.
func WithIdempotent() FunctionOption { return func(o *functionOptions) { o.task.Idempotent = true } }

// WithTimeout bounds one attempt; without it that is an hour.
func WithTimeout(d time.Duration) FunctionOption {
	return func(o *functionOptions) { o.task.Timeout = d }
}

// WithRetries is how many more attempts a failed run gets.
func WithRetries(n int) FunctionOption { return func(o *functionOptions) { o.task.Retries = n } }

// WithTaskNotify has receivers hear of the end of each run of the function that no
// other run started.
func WithTaskNotify(receivers ...Notify) FunctionOption {
	return func(o *functionOptions) { o.task.Notify = append(o.task.Notify, receivers...) }
}

// WithTaskLabels gives each run of the function labels.
func WithTaskLabels(labels map[string]string) FunctionOption {
	return func(o *functionOptions) { o.task.Labels = api.JoinLabels(o.task.Labels, labels) }
}

// WithCaching says whether results are kept and used again. Without it they
// are not.
func WithCaching(mode CacheMode) FunctionOption {
	return func(o *functionOptions) { o.task.Cache = mode }
}

// shape is how values get in and out of a Go function.
type shape struct {
	fn        reflect.Value
	signature api.Signature
	context   bool // it takes one first
	in        []reflect.Type
	fields    bool         // in is one struct, whose fields are the inputs
	out       reflect.Type // nil if there is no output
	failing   bool         // it returns an error last
}

// call calls the function with inputs by name.
func (s *shape) call(ctx context.Context, i Invocation) (map[string]any, error) {
	args, err := s.arguments(i.Inputs)
	if err != nil {
		return nil, err
	}
	if s.context {
		args = append([]reflect.Value{reflect.ValueOf(ctx)}, args...)
	}
	results := s.fn.Call(args)
	if s.failing {
		if err, ok := results[len(results)-1].Interface().(error); ok {
			return nil, err
		}
	}
	return s.outputs(results), nil
}

func (s *shape) arguments(inputs map[string]any) ([]reflect.Value, error) {
	args := make([]reflect.Value, len(s.in))
	for i, t := range s.in {
		args[i] = reflect.New(t).Elem()
		var err error
		if s.fields {
			err = assignInputs(args[i], inputs)
		} else {
			err = assignInput(args[i], inputs, s.signature.Inputs[i].Name)
		}
		if err != nil {
			return nil, err
		}
	}
	return args, nil
}

func assignInputs(dst reflect.Value, inputs map[string]any) error {
	for _, f := range fields(dst.Type()) {
		if err := assignInput(dst.FieldByIndex(f.Index), inputs, f.param); err != nil {
			return err
		}
	}
	return nil
}

// assignInput turns the refusal of an output into that of an input.
func assignInput(dst reflect.Value, inputs map[string]any, name string) error {
	err := assign(dst, inputs[name], "input "+name)
	if err == nil {
		return nil
	}
	e := api.AsError(err)
	return api.Errorf(api.InvalidInput, "%s", e.Message).WithHint("%s", e.Hint).WithDetails(e.Details)
}

func (s *shape) outputs(results []reflect.Value) map[string]any {
	switch {
	case s.out == nil:
		return map[string]any{}
	case isStruct(s.out):
		return structValues(results[0])
	}
	return map[string]any{theOutput: valueOf(results[0])}
}
