package secret

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"
	"weak"
)

// Redactors shares redactors between users of the same secrets. It keeps none
// alive. The zero value is ready, for concurrent use.
type Redactors struct {
	mu     sync.Mutex
	shared map[[sha256.Size]byte]weak.Pointer[Redactor]
}

// Of returns a redactor for values, as NewRedactor does.
func (r *Redactors) Of(values ...[]byte) *Redactor {
	key := keyOf(values)
	r.mu.Lock()
	defer r.mu.Unlock()
	if shared := r.shared[key].Value(); shared != nil {
		return shared
	}
	made := NewRedactor(values...)
	if r.shared == nil {
		r.shared = map[[sha256.Size]byte]weak.Pointer[Redactor]{}
	}
	for key, old := range r.shared {
		if old.Value() == nil {
			delete(r.shared, key)
		}
	}
	r.shared[key] = weak.Make(made)
	return made
}

func keyOf(values [][]byte) (key [sha256.Size]byte) {
	h := sha256.New()
	for _, value := range values {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(value))))
		h.Write(value)
	}
	h.Sum(key[:0])
	return key
}
