package egress

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob/s3/s3test"
)

// signer is a world whose host gets requests that are signed with keys.
func signer(t *testing.T, keys string, ref api.SecretRef, handler http.HandlerFunc) *holder {
	t.Helper()
	h := newHolder(t, handler, api.SecretRef{})
	ref.Inject = "aws-sigv4"
	h.set = setWith(t, "this cell", keys, ref)
	return h
}

// placeholders are the keys that a program in the cell has.
var placeholders = aws.Credentials{AccessKeyID: heldPlaceholder, SecretAccessKey: heldPlaceholder}

// A program uses a bucket with the SDK of AWS as it is; the server checks signatures.
func TestStoreIsUsedWithoutItsKeys(t *testing.T) {
	store := s3test.Start(t)
	to, err := url.Parse(store.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	h := signer(t, s3test.AccessKey+":"+s3test.SecretKey, api.SecretRef{}, func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.Header.Get("Authorization"), heldPlaceholder) {
			t.Error("a request came as the program has signed it")
		}
		(&httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(to)
			p.Out.Host = p.In.Host
		}}).ServeHTTP(w, r)
	})
	client := s3.New(s3.Options{
		Region: "us-east-1", UsePathStyle: true, BaseEndpoint: aws.String("https://" + heldHost), HTTPClient: h.program(t, allow(heldHost), true),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return placeholders, nil }), RetryMaxAttempts: 1,
	})
	bucket, name, text := aws.String(s3test.Bucket), aws.String("a b/ü+(1).txt"), strings.Repeat("0123456789", 1000)
	if _, err := client.PutObject(t.Context(), &s3.PutObjectInput{Bucket: bucket, Key: name, Body: strings.NewReader(text)}); err != nil {
		t.Fatal(err)
	}
	for wanted, got := range map[string]func() (io.ReadCloser, error){
		text: func() (io.ReadCloser, error) {
			out, err := client.GetObject(t.Context(), &s3.GetObjectInput{Bucket: bucket, Key: name})
			return bodyOf(out, err)
		},
		text[9995:]: func() (io.ReadCloser, error) { // large objects are read in parts
			out, err := client.GetObject(t.Context(), &s3.GetObjectInput{Bucket: bucket, Key: name, Range: aws.String("bytes=9995-")})
			return bodyOf(out, err)
		},
	} {
		body, err := got()
		if err != nil {
			t.Fatal(err)
		}
		if read, err := io.ReadAll(body); err != nil || string(read) != wanted {
			t.Errorf("%d bytes, %v", len(read), err)
		}
		body.Close()
	}
	list, err := client.ListObjectsV2(t.Context(), &s3.ListObjectsV2Input{Bucket: bucket, Prefix: aws.String("a b/ü+")})
	if err != nil || len(list.Contents) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
	if lines := h.waitForAudit(t, 4); lines[0].Method != "PUT" || len(lines[0].Secrets) != 1 {
		t.Errorf("audit %+v", lines[0])
	}
}

func bodyOf(out *s3.GetObjectOutput, err error) (io.ReadCloser, error) {
	if err != nil {
		return nil, err
	}
	return out.Body, nil
}

// signedBy signs a request as an SDK does, without the digest of its body.
func signedBy(t *testing.T, keys aws.Credentials, req *http.Request, body string, at time.Time) *http.Request {
	t.Helper()
	sum := sha256.Sum256([]byte(body))
	if err := v4.NewSigner().SignHTTP(context.Background(), keys, req, hex.EncodeToString(sum[:]), "dynamodb", "eu-west-1", at); err != nil {
		t.Fatal(err)
	}
	return req
}

const awsKeys = "AKIDEXAMPLE:wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY:session-token-of-it"

// The host sees a signature by the real key over exactly what it got.
func TestSignedAgain(t *testing.T) {
	var got *http.Request
	var body string
	h := signer(t, awsKeys, api.SecretRef{}, seenBy(&got, &body))
	req := request(t, "POST", "https://"+heldHost+"/?b=2&a=1", strings.NewReader(`{"TableName":"t"}`), "X-Amz-Target", "DynamoDB_20120810.ListTables",
		"Content-Type", "application/x-amz-json-1.0")
	resp, _ := fetch(t, h.program(t, allow(heldHost), false), signedBy(t, placeholders, req, `{"TableName":"t"}`, time.Now().Add(-time.Hour)))
	if resp.StatusCode != 200 || body != `{"TableName":"t"}` {
		t.Fatalf("%d, the host got %q", resp.StatusCode, body)
	}
	at, err := time.Parse("20060102T150405Z", got.Header.Get("X-Amz-Date"))
	if err != nil || time.Since(at) > 5*time.Minute {
		t.Errorf("signed at %v, %v", at, err)
	}
	id, key, _ := strings.Cut(awsKeys, ":")
	key, token, _ := strings.Cut(key, ":")
	again := request(t, "POST", "https://"+heldHost+got.URL.String(), nil)
	for _, name := range []string{"X-Amz-Target", "Content-Type"} {
		again.Header.Set(name, got.Header.Get(name))
	}
	signedBy(t, aws.Credentials{AccessKeyID: id, SecretAccessKey: key, SessionToken: token}, again, body, at)
	if got.Header.Get("Authorization") != again.Header.Get("Authorization") || got.Header.Get("X-Amz-Security-Token") != token {
		t.Errorf("got %v\nwanted %v", got.Header, again.Header)
	}
}

func TestWhatIsNotSignedAgain(t *testing.T) {
	var got *http.Request
	var body string
	h := signer(t, awsKeys, api.SecretRef{MaxRequest: 20 << 20}, seenBy(&got, &body))
	client := h.program(t, allow(heldHost), false)
	scoped := "AWS4-HMAC-SHA256 Credential=" + heldPlaceholder + "/20260101/eu-west-1/sqs/aws4_request, SignedHeaders=host, Signature=00"
	for _, c := range []struct {
		name, path string
		headers    []string
		body       io.Reader
		refused    string
	}{
		{"no signature", "/", nil, nil, ""},
		{"keys of the program's own", "/", []string{"Authorization", strings.ReplaceAll(scoped, heldPlaceholder, "AKIDOTHER")}, nil, ""},
		{"a presigned address", "/?X-Amz-Credential=" + heldPlaceholder + "%2F20260101", nil, nil, "an address that carries its signature"},
		{"another algorithm", "/", []string{"Authorization", strings.Replace(scoped, "HMAC", "ECDSA-P256", 1)}, nil, "AWS4-ECDSA-P256-SHA256"},
		{"a hostile scope", "/", []string{"Authorization", strings.Replace(scoped, "sqs", "s\tqs", 1)}, nil, "no scope"},
		{"half a scope", "/", []string{"Authorization", "AWS4-HMAC-SHA256 Credential=" + heldPlaceholder}, nil, "no scope"},
		{"a body signed in pieces", "/", []string{"Authorization", scoped, "X-Amz-Content-Sha256", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"}, strings.NewReader("x"), "signed in pieces"},
		{"a large body", "/", []string{"Authorization", scoped}, bytes.NewReader(make([]byte, 16<<20+1)), "larger than the 16777216 bytes"},
		{"a large body that does not say so", "/", []string{"Authorization", scoped}, io.MultiReader(bytes.NewReader(make([]byte, 16<<20+1))), "larger than the 16777216 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got = nil
			resp, text := fetch(t, client, request(t, "POST", "https://"+heldHost+c.path, c.body, c.headers...))
			if c.refused != "" {
				if got != nil || resp.StatusCode != 403 || !strings.Contains(text, c.refused) {
					t.Errorf("%d %q, the host got %v", resp.StatusCode, text, got)
				}
				return
			}
			if sent := append(c.headers, "", "")[1]; got == nil || got.Header.Get("Authorization") != sent {
				t.Errorf("%d %q, the host got %v", resp.StatusCode, text, got)
			}
		})
	}
}
