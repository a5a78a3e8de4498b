package contexts

import (
	"io"

	"github.com/glovebox-dev/glovebox/api"
)

// driver is how the program around one language is started and spoken to.
type driver interface {
	argv() []string
	// opening is what the program reads first. It answers with a message that it is
	// ready, under an id.
	opening(id string) ([]byte, error)
	// request is what it reads for one execution.
	request(id string, count int, r api.CodeRequest) ([]byte, error)
	// greeting is what a program reads that runs already. It answers in the same way.
	greeting(id string) []byte
	// listen returns what understands a process. Messages are passed to deliver in
	// order; an error of a writer says that the process is no driver. What comes
	// before the answer to a greeting may begin anywhere.
	listen(greeting string, deliver func(message) error) (stdout, stderr io.Writer)
}

// message is what a driver says.
type message struct {
	id    string
	kind  kind
	event api.CodeEvent // of output
	size  int           // bytes of it
}

type kind int

const (
	output  kind = iota
	ready        // for requests
	begun        // with the execution
	ended        // with it
	dropped      // something too large
)

func driverOf(spec api.ContextSpec, o Options) (driver, error) {
	switch spec.Language {
	case "", api.LanguagePython:
		return python{plain: spec.Plain, generation: o.generation}, nil
	case api.LanguageBash:
		return bash{generation: o.generation}, nil
	case api.LanguageJavaScript:
		return javascript{}, nil
	case api.LanguageTypeScript:
		return javascript{typed: true}, nil
	case api.LanguageR:
		return r{generation: o.generation}, nil
	case api.LanguageJava:
		return java{}, nil
	}
	return nil, api.Errorf(api.RequestInvalid, "no contexts run %q", spec.Language)
}
