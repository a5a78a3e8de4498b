package s3

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
)

const ownerName = "owner"

// Claim makes the blobs those of an owner, unless they are another's: who prunes them
// goes by a journal, which knows of no others.
func (s *Store) Claim(ctx context.Context, owner string) error {
	is, err := s.owner(ctx)
	if errors.Is(err, blob.ErrNotFound) {
		if err := s.become(ctx, owner); err != nil {
			return err
		}
		is, err = s.owner(ctx)
	}
	if err != nil {
		return err
	}
	if is != owner {
		return api.Errorf(api.Conflict, "the blobs in %s are those of another home or journal", s.Place()).
			WithHint("use another prefix, or the home and journal that they belong to").WithDetails(api.Details{Field: "blobs", Expected: owner, Got: is})
	}
	return nil
}

// GiveUp lets another owner claim the blobs.
func (s *Store) GiveUp(ctx context.Context) error { return s.remove(ctx, root, ownerName) }

// owner returns whose the blobs are.
func (s *Store) owner(ctx context.Context) (string, error) {
	client, err := s.client()
	if err != nil {
		return "", s.problem(ctx, "open the blobs", err)
	}
	out, err := client.GetObject(ctx, &s3.GetObjectInput{Bucket: &s.address.Bucket, Key: s.key(root, ownerName)})
	if err != nil {
		return "", s.problem(ctx, "open the blobs", err)
	}
	defer out.Body.Close()
	text, err := io.ReadAll(io.LimitReader(out.Body, 200))
	return strings.TrimSpace(string(text)), s.problem(ctx, "open the blobs", err)
}

// become writes an owner where there is none.
func (s *Store) become(ctx context.Context, owner string) error {
	client, err := s.client()
	if err != nil {
		return s.problem(ctx, "open the blobs", err)
	}
	in := &s3.PutObjectInput{Bucket: &s.address.Bucket, Key: s.key(root, ownerName), Body: strings.NewReader(owner + "\n"), IfNoneMatch: aws.String("*")}
	_, err = client.PutObject(ctx, in)
	if hasCode(err, "NotImplemented") { // the store knows no conditions
		in.IfNoneMatch, in.Body = nil, strings.NewReader(owner+"\n")
		_, err = client.PutObject(ctx, in)
	}
	if there(err) {
		return nil
	}
	return s.problem(ctx, "open the blobs", err)
}
