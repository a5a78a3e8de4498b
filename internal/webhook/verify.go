package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/glovebox-dev/glovebox/api"
)

// tolerance is how far the time of a message may be from now, either way.
const tolerance = 5 * time.Minute

// maxID bounds the id of a message, and maxSignatures the header with signatures,
// of which there may be several, in bytes.
const (
	maxID         = 128
	maxSignatures = 4 << 10
)

// verify checks who sent a message, and returns what tells it from others: the
// same message again has the same id.
func verify(how api.HookSignature, secret []byte, header http.Header, body []byte, now time.Time) (id string, ok bool) {
	if how == api.HookGitHub {
		return verifyGitHub(keyOf(secret), header, body)
	}
	return verifyStandard(keyOf(secret), header, body, now)
}

// verifyStandard checks the headers of Standard Webhooks. The signature covers the
// id and the time.
func verifyStandard(key []byte, header http.Header, body []byte, now time.Time) (id string, ok bool) {
	id = header.Get(standard.HeaderWebhookID)
	seconds, err := strconv.ParseInt(header.Get(standard.HeaderWebhookTimestamp), 10, 64)
	if err != nil || !validID(id) || len(header.Get(standard.HeaderWebhookSignature)) > maxSignatures {
		return "", false
	}
	hook, err := standard.NewWebhookRaw(key)
	if err != nil || hook.VerifyIgnoringTimestamp(body, header) != nil {
		return "", false
	}
	sent := time.Unix(seconds, 0)
	return id, !sent.Before(now.Add(-tolerance)) && !sent.After(now.Add(tolerance))
}

func validID(id string) bool {
	return id != "" && len(id) <= maxID && strings.IndexFunc(id, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}

// keyOf is the key in a secret: in base64 after whsec_, as Standard Webhooks writes
// keys, or any text. Without one it is empty, which everybody could sign with.
func keyOf(secret []byte) []byte {
	text, written := strings.CutPrefix(strings.TrimSpace(string(secret)), "whsec_")
	if key, err := base64.StdEncoding.DecodeString(text); written && err == nil {
		return key
	}
	return []byte(text)
}

// Sign returns the headers of a message that goes out, with the signature of
// Standard Webhooks.
func Sign(secret []byte, id string, now time.Time, body []byte) (http.Header, error) {
	key := keyOf(secret)
	if len(key) == 0 {
		return nil, errors.New("the secret is empty")
	}
	hook, err := standard.NewWebhookRaw(key)
	if err != nil {
		return nil, err
	}
	signature, err := hook.Sign(id, now, body)
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	header.Set(standard.HeaderWebhookID, id)
	header.Set(standard.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	header.Set(standard.HeaderWebhookSignature, signature)
	return header, nil
}

// verifyGitHub checks the signature of GitHub, which covers the body alone. So the
// signature is what tells messages apart: whoever has seen one could change every
// header, its id included.
func verifyGitHub(key []byte, header http.Header, body []byte) (id string, ok bool) {
	text, found := strings.CutPrefix(header.Get("X-Hub-Signature-256"), "sha256=")
	given, err := hex.DecodeString(text)
	mac := hmac.New(sha256.New, key)
	mac.Write(body)
	sum := mac.Sum(nil)
	return hex.EncodeToString(sum), hmac.Equal(given, sum) && found && err == nil
}
