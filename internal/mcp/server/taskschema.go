package server

import (
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/glovebox-dev/glovebox/api"
)

// outputSchema is that of a run, with the names and types of the outputs.
func outputSchema(sig api.Signature) *jsonschema.Schema {
	s := schemaFor[runView]()
	outputs := s.Properties["outputs"]
	outputs.Properties = map[string]*jsonschema.Schema{}
	for _, p := range sig.Outputs {
		outputs.Properties[p.Name] = &jsonschema.Schema{Description: p.Type.String()}
		outputs.PropertyOrder = append(outputs.PropertyOrder, p.Name)
	}
	return s
}

// rawInputs are the arguments of a tool that are the inputs of a task.
func rawInputs(inputs map[string]json.RawMessage) (json.RawMessage, error) {
	if inputs == nil {
		return json.RawMessage("{}"), nil
	}
	return json.Marshal(inputs)
}
