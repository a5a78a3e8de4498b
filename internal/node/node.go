// Package node lets nodes, the servers on one journal, ask each other for what only
// one of them has: the sessions whose cells are there. Sessions stands before those of
// a process, and asks the node that holds a session for all that needs its cell.
//
// A node reaches another one at the address that it registered with its lease, and only
// if what answers there has the certificate that was registered too. It shows a token
// that follows from a key which all nodes have and from the name of the other one, so
// that it opens no other node, and none after the lease of that one has ended. What
// came from a node is never asked of a further one.
package node

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// Peer is another node, as it registered.
type Peer struct {
	ID          string // of its lease
	Host        string // name of its machine, for people
	Address     string // where it answers: https://HOST:PORT, or what only its machine reaches
	Certificate string // what it shows there, see Fingerprint; empty without TLS
	SameMachine bool   // it runs on this machine
}

// tokenPrefix begins the tokens that nodes show each other. No other token is taken
// for one.
const tokenPrefix = "gbnode-"

// Token is what a node shows to the one of an id; key is what all nodes have.
func Token(key []byte, id string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("glovebox node\x00" + id))
	return tokenPrefix + hex.EncodeToString(mac.Sum(nil))
}

// Judge reports whether a token is one that nodes show each other, and whether it was
// made for the node of an id.
func Judge(key []byte, id, token string) (ofNode, here bool) {
	if !strings.HasPrefix(token, tokenPrefix) {
		return false, false
	}
	return true, id != "" && subtle.ConstantTimeCompare([]byte(Token(key, id)), []byte(token)) == 1
}

// Fingerprint tells a certificate, in DER, from any other one.
func Fingerprint(certificate []byte) string {
	sum := sha256.Sum256(certificate)
	return hex.EncodeToString(sum[:])
}

// reachable returns why a node cannot be asked, or nil.
func (p *Peer) reachable() error {
	switch {
	case p.Address == "":
		return api.Errorf(api.ServerUnavailable, "node %s has said no address at which others reach it", p.ID).
			WithHint("ask that server itself; glovebox node ls shows where it is")
	case OwnMachine(p.Address) && !p.SameMachine:
		return api.Errorf(api.ServerUnavailable, "node %s on %s answers at %s, which only its own machine reaches", p.ID, p.Host, p.Address).
			WithHint("start that server with --listen HOST:PORT and a certificate, or with --advertise https://HOST:PORT")
	}
	return nil
}
