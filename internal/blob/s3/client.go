package s3

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"
)

// limits bound what is waited for.
type limits struct {
	silence  time.Duration // of a connection on which bytes are due
	attempts int           // of each request
	backoff  time.Duration // between two of them at most; jitter makes it less
	part     int64         // bytes of a part of an object; what is not larger goes in one request
}

// patient rides out a restart of the store: the attempts of a request take some 15
// seconds while it is away.
var patient = limits{silence: time.Minute, attempts: 12, backoff: 5 * time.Second, part: 16 << 20}

// newClient makes a client with the credentials that programs for S3 use: those of
// the environment, of shared files, or of the role of the machine.
func newClient(ctx context.Context, a Address, l limits, c *clock) (*s3.Client, error) {
	transport := awshttp.NewBuildableClient().WithTransportOptions(func(t *http.Transport) {
		dial := (&net.Dialer{Timeout: 10 * time.Second}).DialContext
		t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return &impatient{conn, l.silence}, nil
		}
		t.MaxIdleConnsPerHost, t.MaxConnsPerHost = 32, 64
	})
	options := []func(*config.LoadOptions) error{
		config.WithHTTPClient(transport), config.WithLogger(logging.Nop{}), config.WithDefaultRegion("us-east-1"),
		config.WithRetryer(func() aws.Retryer {
			return retry.NewStandard(func(o *retry.StandardOptions) {
				o.MaxAttempts, o.MaxBackoff, o.RateLimiter = l.attempts, l.backoff, ratelimit.None
				o.Retryables = append(o.Retryables, retry.IsErrorRetryableFunc(halfAnswer))
			})
		}),
		// Other stores than AWS do not know its newer checksums. Blobs have their own.
		config.WithRequestChecksumCalculation(aws.RequestChecksumCalculationWhenRequired),
		config.WithResponseChecksumValidation(aws.ResponseChecksumValidationWhenRequired),
	}
	if a.Region != "" {
		options = append(options, config.WithRegion(a.Region))
	}
	loaded, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return nil, err
	}
	return s3.NewFromConfig(loaded, func(o *s3.Options) {
		o.UsePathStyle, o.HTTPClient = a.PathStyle, watched{o.HTTPClient, c}
		if a.Endpoint != "" {
			o.BaseEndpoint = &a.Endpoint
		}
	}), nil
}

// halfAnswer says of an answer that ended before its end that the request may be made
// again. Each request of this package may.
func halfAnswer(err error) aws.Ternary {
	var unread *smithy.DeserializationError
	if errors.As(err, &unread) {
		return aws.TrueTernary
	}
	return aws.UnknownTernary
}

// impatient is a connection that fails when nothing moves on it for long.
type impatient struct {
	net.Conn
	silence time.Duration
}

// Read implements net.Conn.
func (c *impatient) Read(p []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(c.silence)); err != nil {
		return 0, err
	}
	return c.Conn.Read(p)
}

// Write implements net.Conn.
func (c *impatient) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.silence)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}
