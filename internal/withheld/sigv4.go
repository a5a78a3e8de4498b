package withheld

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

// sigV4 is the inject of a secret with which requests to AWS are signed: its value is
// ID:KEY or ID:KEY:TOKEN, and never leaves the host. The program signs with its
// placeholder, and the proxy signs again, for the same region and service.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
const sigV4 = "aws-sigv4"

// Variables returns the variables of the program that also get the placeholder: those
// in which every SDK looks for keys.
func Variables(ref api.SecretRef) []string {
	if ref.Inject != sigV4 {
		return nil
	}
	return []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}
}

// Parts returns what of a value must not be seen, beside the whole of it.
func Parts(ref api.SecretRef, value []byte) [][]byte {
	if ref.Inject != sigV4 {
		return nil
	}
	keys, _ := credentials(string(value))
	return [][]byte{[]byte(keys.SecretAccessKey), []byte(keys.SessionToken)}
}

// credentials reads the value of such a secret.
func credentials(text string) (aws.Credentials, bool) {
	id, rest, ok := strings.Cut(text, ":")
	key, token, _ := strings.Cut(rest, ":")
	fits := ok && accessKey().MatchString(id) && len(key) >= minValue && !strings.ContainsAny(key+token, ": ")
	return aws.Credentials{AccessKeyID: id, SecretAccessKey: key, SessionToken: token}, fits
}

var (
	accessKey = lazyregexp.New(`^[A-Za-z0-9_-]{1,128}$`)
	scopePart = lazyregexp.New(`^[a-z0-9-]{1,64}$`)
)

// scope is what a signature is for.
type scope struct{ region, service string }

// signedScope returns the scope for which the program has signed with the placeholder;
// found is whether it has.
func (h *held) signedScope(r *http.Request) (s scope, found bool, refusal *Refusal) {
	if strings.Contains(r.URL.RawQuery, h.Placeholder) {
		return s, true, &Refusal{"an address that carries its signature cannot be signed again", "send the signature in the header Authorization, as every SDK does but for presigned addresses"}
	}
	algorithm, terms, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	_, credential, _ := strings.Cut(terms, "Credential=")
	credential, _, _ = strings.Cut(credential, ",")
	parts := strings.Split(strings.TrimSpace(credential), "/")
	if parts[0] != h.Placeholder {
		return s, false, nil
	}
	if algorithm != "AWS4-HMAC-SHA256" {
		return s, true, &Refusal{"requests signed by " + clip(algorithm) + " cannot be signed again", "sign by AWS4-HMAC-SHA256, as most SDKs do"}
	}
	if len(parts) != 5 || !scopePart().MatchString(parts[2]) || !scopePart().MatchString(parts[3]) {
		return s, true, &Refusal{"the signature is for no scope that can be read", "sign for KEY/DATE/REGION/SERVICE/aws4_request"}
	}
	return scope{parts[2], parts[3]}, true, nil
}

// sign signs a request that the program has signed with the placeholder, as it is sent.
func (x *Exchange) sign(req *http.Request, h *held) *Refusal {
	scope, found, refusal := h.signedScope(req)
	if !found || refusal != nil {
		return refusal
	}
	sum, refusal := x.payload(req)
	if refusal != nil {
		return refusal
	}
	keys, _ := credentials(h.Value.Value)
	signed := signable(req)
	err := v4.NewSigner().SignHTTP(context.Background(), keys, signed, sum, scope.service, scope.region, time.Now(), func(o *v4.SignerOptions) {
		o.DisableURIPathEscaping = scope.service == "s3" // which takes the path as it stands
	})
	if err != nil {
		return &Refusal{"the request cannot be signed", "send it as the SDK of AWS makes it"}
	}
	req.URL.RawQuery = signed.URL.RawQuery
	req.Header.Del("X-Amz-Security-Token")
	for _, name := range []string{"Authorization", "X-Amz-Date", "X-Amz-Security-Token"} {
		if v := signed.Header.Get(name); v != "" {
			req.Header.Set(name, v)
		}
	}
	x.uses(h)
	return nil
}

// signable is of a request what its signature covers: what no proxy changes.
func signable(req *http.Request) *http.Request {
	u := *req.URL
	out := &http.Request{Method: req.Method, URL: &u, Host: req.Host, Header: http.Header{}}
	for name, values := range req.Header {
		if strings.HasPrefix(name, "X-Amz-") || name == "Content-Type" || name == "Content-Md5" {
			out.Header[name] = values
		}
	}
	out.Header.Del("X-Amz-Security-Token")
	return out
}
