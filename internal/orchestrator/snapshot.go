package orchestrator

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"time"

	"github.com/glovebox-dev/glovebox/py"
)

// sealedHead is the length of what comes first in a sealed snapshot: a tag and
// the length of the JSON of beside, which follows, and then the interpreter's
// snapshot. The tag is the HMAC-SHA256 of the rest under a key of the run, so
// that only this host can make one, and only for this run.
const sealedHead = sha256.Size + 4 // bytes

// maxSnapshot bounds a sealed snapshot; what is larger is replayed instead.
const maxSnapshot = 1 << 20 // bytes

// runKey is the key of the snapshots of one run; nil without a key.
func runKey(key []byte, run string) []byte {
	if len(key) == 0 {
		return nil
	}
	return mac(key, []byte("orchestrator snapshot of run "+run))
}

func mac(key, data []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(data)
	return h.Sum(nil)
}

// beside is what belongs to a snapshot and is not in that of the interpreter.
type beside struct {
	Failed failures `json:"failed,omitempty"`
	World  World    `json:"world"`
}

func seal(key []byte, known beside, snapshot []byte) ([]byte, error) {
	head, err := json.Marshal(known)
	if err != nil {
		return nil, err
	}
	b := make([]byte, sealedHead, sealedHead+len(head)+len(snapshot))
	binary.BigEndian.PutUint32(b[sha256.Size:], uint32(len(head)))
	b = append(append(b, head...), snapshot...)
	copy(b, mac(key, b[sha256.Size:]))
	return b, nil
}

// unseal returns what was sealed with the key; ok is false if the seal does not
// match.
func unseal(key, sealed []byte) (known beside, snapshot []byte, ok bool) {
	if len(key) == 0 || len(sealed) < sealedHead || len(sealed) > maxSnapshot ||
		!hmac.Equal(sealed[:sha256.Size], mac(key, sealed[sha256.Size:])) {
		return known, nil, false
	}
	length, rest := int(binary.BigEndian.Uint32(sealed[sha256.Size:])), sealed[sealedHead:]
	if length > len(rest) || json.Unmarshal(rest[:length], &known) != nil {
		return known, nil, false
	}
	return known, rest[length:], true
}

// saving is what a snapshot would save, and what the last one cost.
type saving struct {
	answers int           // since the last one
	time    time.Duration // of execution before the last one
	cost    time.Duration
}

// answerCost is about what it takes to read an answer from the journal and to
// give it to the code.
const answerCost = 20 * time.Microsecond

// worthSaving holds the cost of snapshots to a twentieth of the work that they
// can save, and lets short runs do without.
func worthSaving(replay, cost time.Duration) bool {
	return replay >= max(5*time.Millisecond, 20*cost)
}

// save hands a snapshot to the caller, if it is worth it, or asked for.
func (a *attempt) save(now bool) {
	if a.key == nil || a.saving.answers == 0 && !now {
		return
	}
	used := a.state.Usage().Time
	replay := used - a.saving.time + time.Duration(a.saving.answers)*answerCost
	if !now && !a.runner.worth(replay, a.saving.cost) {
		return
	}
	began := time.Now()
	var sealed []byte
	err := a.inside(func() error {
		snapshot, err := a.state.Snapshot()
		if err == nil && len(snapshot) <= maxSnapshot {
			sealed, err = seal(a.key, beside{a.failed, a.world}, snapshot)
		}
		return err
	})
	if err == nil && sealed != nil && len(sealed) <= maxSnapshot {
		a.req.Caller.Save(sealed)
	}
	a.saving = saving{time: used, cost: time.Since(began)}
}

// load restores the code from a snapshot. It returns false if the snapshot
// cannot be used.
func (a *attempt) load(sealed []byte) bool {
	known, snapshot, ok := unseal(a.key, sealed)
	if !ok {
		return false
	}
	fresh := a.world
	a.world.restore(known.World)
	var state *py.State
	err := a.inside(func() (err error) {
		state, err = a.program.Load(snapshot, a.options())
		return err
	})
	if err != nil || state.Status() != py.Waiting {
		a.world = fresh
		return false
	}
	a.state, a.failed = state, known.Failed
	a.state.Advance(a.world.elapsed())
	a.saving.time = state.Usage().Time
	return true
}
