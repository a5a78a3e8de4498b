package journal

import (
	"encoding/json"

	"github.com/glovebox-dev/glovebox/api"
)

// Lane is what tells runs apart that wait for any process, beside the moment at which they
// are due: who may take them, and when. Of one lane, the run that is due first comes first.
type Lane struct {
	Owner    string            `json:"owner,omitempty"`
	Selector map[string]string `json:"selector,omitempty"`
	Limits   []Limit           `json:"limits,omitempty"`
}

// Limit is how many runs of a name work at the same time, each of which has a permit.
type Limit struct {
	Name string `json:"name"`
	Most int    `json:"most"`
}

// Lane is that of a run.
func (r *Record) Lane() Lane { return Lane{Owner: r.Owner, Selector: r.NodeSelector, Limits: r.Limits} }

// Due is when a run is due, in milliseconds.
func (r *Record) Due() int64 { return api.Due(r.Created, r.Priority).UnixMilli() }

// Text is the same text for the same lane; empty for that of most runs.
func (l Lane) Text() string {
	text, err := json.Marshal(l) // in the order of names
	if err != nil {              // texts and numbers cannot fail
		panic(err)
	}
	if string(text) == "{}" {
		return ""
	}
	return string(text)
}

// ParseLane reads the text of a lane.
func ParseLane(text string) (l Lane, err error) {
	if text != "" {
		err = json.Unmarshal([]byte(text), &l)
	}
	return l, err
}
