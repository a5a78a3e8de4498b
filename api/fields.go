package api

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/glovebox-dev/glovebox/value"
)

// Digest identifies the task by everything that it says: "sha256:" and the
// digest of its JSON.
func (t *Task) Digest() string {
	text, err := json.Marshal(t)
	if err != nil { // only strings, numbers and types: nothing that can fail
		panic(fmt.Sprintf("encoding a task: %v", err))
	}
	return DigestOf(text)
}

// DigestOf returns "sha256:" and the digest of text in hexadecimal.
func DigestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// CompleteInputs is value.Check with errors of this package: it fills in
// defaults, normalizes every value, and returns invalid_input for one that is
// missing, unknown or of another type. The map given is not changed.
func CompleteInputs(params []value.Param, given map[string]any) (map[string]any, error) {
	f, err := value.Check(params, given)
	if err != nil {
		return nil, AsError(err)
	}
	return f.Map(), nil
}

// EncodeFields writes values by name as one JSON object, in the order of the
// parameters. A parameter without a value is left out, and a name that is
// declared twice, which Signature.Check refuses, comes once.
func EncodeFields(params []value.Param, values map[string]any) (json.RawMessage, error) {
	f, err := value.CheckSome(params, values)
	if err != nil {
		return nil, err
	}
	return f.JSON(), nil
}

// DecodeFields reads what EncodeFields wrote, or a person. It returns the
// values that are there; role says in errors what they are, such as "input".
func DecodeFields(role string, params []value.Param, text json.RawMessage) (map[string]any, error) {
	f, err := value.Decode(role, params, text)
	if err != nil {
		return nil, AsError(err)
	}
	return f.Map(), nil
}
