package sandbox

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/secret"
	"github.com/glovebox-dev/glovebox/internal/withheld"
)

// placeholderBytes is how much of a placeholder cannot be guessed.
const placeholderBytes = 20

// withhold makes the placeholder of a secret. It stays the same, so that it holds in the
// memory and the files of a session that is continued. Knowing one is worth nothing
// outside of a cell that has the secret.
func (r *Runner) withhold(ref api.SecretRef, value []byte) (withheld.Value, error) {
	key, err := r.config.Derive("placeholder of " + ref.Name)
	if err != nil {
		return withheld.Value{}, err
	}
	return withheld.Value{Ref: ref, Value: string(value), Placeholder: "glovebox-" + hex.EncodeToString(key[:placeholderBytes])}, nil
}

// withheldSet makes the set of a cell, whose authority is that of a lineage. An empty one
// is of this cell alone.
func (r *Runner) withheldSet(held []withheld.Value, lineage string, until time.Time, redactor *secret.Redactor) (*withheld.Set, error) {
	if lineage == "" {
		lineage = rand.Text()
	}
	key, err := r.config.Derive("authority of " + lineage)
	if err != nil {
		return nil, err
	}
	return withheld.New(held, key, until, redactor)
}

// certificates is what a run with a network needs to trust what the host does, and the
// authority that ends its connections to the hosts of withheld secrets.
func (r *Runner) certificates(task *api.Task, set *withheld.Set) ([]byte, error) {
	bundle, err := r.hostCertificates(task)
	if err != nil || set == nil {
		return bundle, err
	}
	return slices.Concat(bytes.TrimRight(bundle, "\n"), []byte("\n"), set.Certificate()), nil
}

// hostCertificates returns those of the host; nil if it needs none of its own.
func (r *Runner) hostCertificates(task *api.Task) ([]byte, error) {
	if task.Network.None() {
		return nil, nil
	}
	return r.config.Certificates(slices.ContainsFunc(task.Secrets, api.SecretRef.Withheld))
}
