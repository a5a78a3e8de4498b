package peer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"time"
)

// Containers that stay are used over the API of the daemon, so that no start of a
// command line counts.
// API: https://docs.docker.com/reference/api/engine/version/v1.41/

// StartContainer makes a container that stays, and returns its id.
func (d *Docker) StartContainer(ctx context.Context, image string) (string, error) {
	var made struct{ ID string }
	err := d.ask(ctx, http.MethodPost, "/containers/create", map[string]any{
		"Image": image, "Cmd": []string{"sleep", "infinity"}, "HostConfig": map[string]any{"NetworkMode": "none", "Init": false},
	}, &made)
	if err != nil {
		return "", err
	}
	return made.ID, d.ask(ctx, http.MethodPost, "/containers/"+made.ID+"/start", nil, nil)
}

// Exec executes a command and waits for the end of its output.
func (d *Docker) Exec(ctx context.Context, id string, argv ...string) error {
	var made struct{ ID string }
	err := d.ask(ctx, http.MethodPost, "/containers/"+id+"/exec", map[string]any{"Cmd": argv, "AttachStdout": true, "AttachStderr": true}, &made)
	if err != nil {
		return err
	}
	return d.ask(ctx, http.MethodPost, "/exec/"+made.ID+"/start", map[string]any{}, nil)
}

// Fork makes a container with the files of another one, which stands still meanwhile.
func (d *Docker) Fork(ctx context.Context, id string) (fork, image string, err error) {
	var made struct{ ID string }
	if err := d.ask(ctx, http.MethodPost, "/commit?container="+id, map[string]any{}, &made); err != nil {
		return "", "", err
	}
	fork, err = d.StartContainer(ctx, made.ID)
	return fork, made.ID, err
}

// Remove ends a container and removes it.
func (d *Docker) Remove(ctx context.Context, id string) error {
	return d.ask(ctx, http.MethodDelete, "/containers/"+id+"?force=1", nil, nil)
}

// RemoveImage removes what Fork made.
func (d *Docker) RemoveImage(ctx context.Context, id string) error {
	return d.ask(ctx, http.MethodDelete, "/images/"+id+"?force=1", nil, nil)
}

// ask makes one request, reads the whole answer, and decodes it into answer unless
// that is nil.
func (d *Docker) ask(ctx context.Context, method, path string, body, answer any) error {
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://docker/v1.41"+path, sent)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := d.api().Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return fmt.Errorf("docker: %s %s: %s: %s", method, path, response.Status, text)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
}

// api is a client whose requests go to the daemon, by whatever host they name.
func (d *Docker) api() *http.Client {
	path := filepath.Join(d.state, "docker.sock")
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}}
}
