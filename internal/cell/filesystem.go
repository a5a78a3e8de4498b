package cell

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// The methods on files are those of api.SessionFiles, in one cell. A path that
// is not absolute starts at the home of the user. The end of ctx ends the call
// alone.

// StatFile describes a file; of a link, what it leads to, with Link set.
func (c *Cell) StatFile(ctx context.Context, path string, o api.FileOptions) (*api.FileInfo, error) {
	return c.fileRequest(ctx, wire.KindStat, pathOf(path, o))
}

// MakeDir makes a directory, and those above it. One that is there is a conflict.
func (c *Cell) MakeDir(ctx context.Context, path string, o api.FileOptions) (*api.FileInfo, error) {
	return c.fileRequest(ctx, wire.KindMakeDir, pathOf(path, o))
}

// MoveFile moves a file or a tree, and makes the directories above its new place.
func (c *Cell) MoveFile(ctx context.Context, from, to string, o api.FileOptions) (*api.FileInfo, error) {
	return c.fileRequest(ctx, wire.KindMove, wire.Move{Path: pathOf(from, o), To: wire.Text(to)})
}

// RemoveFile removes a file or a tree. A missing file is no error.
func (c *Cell) RemoveFile(ctx context.Context, path string, o api.FileOptions) error {
	var done wire.FileDone
	return c.request(ctx, wire.KindRemove, pathOf(path, o), &done, func() wire.Done { return done.Done })
}

// User looks a user of the cell up, by name or number.
func (c *Cell) User(ctx context.Context, name string) (*api.User, error) {
	var done wire.UserDone
	if err := c.request(ctx, wire.KindUser, as(name), &done, func() wire.Done { return done.Done }); err != nil {
		return nil, err
	}
	return &api.User{Name: string(done.Name), UID: done.UID, GID: done.GID, Home: string(done.Home)}, nil
}

// Metrics is what a cell uses, as its own kernel counts it.
type Metrics struct {
	Disk      int64 // bytes of its root file system
	Memory    int64 // bytes
	Processes int   // without the guest
}

// Metrics asks the cell what it uses.
func (c *Cell) Metrics(ctx context.Context) (Metrics, error) {
	var done wire.MetricsDone
	if err := c.request(ctx, wire.KindMetrics, wire.Metrics{}, &done, func() wire.Done { return done.Done }); err != nil {
		return Metrics{}, err
	}
	return Metrics{Disk: max(0, done.Disk), Memory: max(0, done.Memory), Processes: max(0, done.Processes)}, nil
}

func pathOf(path string, o api.FileOptions) wire.Path {
	who := as(o.User)
	who.Owner = wire.Text(o.Owner)
	return wire.Path{Path: wire.Text(path), As: who}
}

// request sends a request without data, and decodes the answer into status, of
// which done returns the common part.
func (c *Cell) request(ctx context.Context, kind string, request, status any, done func() wire.Done) error {
	return c.exchange(ctx, kind, request, func(*wire.Channel) {}, status, done)
}

func (c *Cell) fileRequest(ctx context.Context, kind string, request any) (*api.FileInfo, error) {
	var done wire.FileDone
	if err := c.request(ctx, kind, request, &done, func() wire.Done { return done.Done }); err != nil {
		return nil, err
	}
	return c.fileInfo(ctx, done.Info)
}

func (c *Cell) fileInfo(ctx context.Context, info *wire.FileInfo) (*api.FileInfo, error) {
	file, err := decodeFileInfo(info)
	if err != nil {
		return nil, c.refused(ctx, err)
	}
	return file, nil
}

// maxPath is what Linux takes as a path, in bytes.
const maxPath = 4096

// decodeFileInfo trusts nothing of what a guest says about a file.
func decodeFileInfo(info *wire.FileInfo) (*api.FileInfo, error) {
	if info == nil || len(info.Path) == 0 || info.Path[0] != '/' || len(info.Path) > 2*maxPath || len(info.Link) > 2*maxPath {
		return nil, errors.New("a description of a file without a path that can be")
	}
	switch info.Type {
	case wire.TypeFile, wire.TypeDir, wire.TypeSymlink, wire.TypeOther:
	default:
		return nil, fmt.Errorf("a file of unknown type %.20q", info.Type)
	}
	if info.Size < 0 || info.Mode > 0o7777 || info.UID < 0 || info.GID < 0 {
		return nil, fmt.Errorf("a file with size %d, mode %o, owner %d and group %d", info.Size, info.Mode, info.UID, info.GID)
	}
	file := &api.FileInfo{
		Path: string(info.Path), Type: info.Type, Size: info.Size, Mode: info.Mode, UID: info.UID, GID: info.GID,
		Owner: string(info.Owner), Group: string(info.Group), Modified: time.Unix(0, info.Modified), Link: string(info.Link),
	}
	for name, value := range info.Attributes {
		if file.Attributes == nil {
			file.Attributes = make(map[string]string, len(info.Attributes))
		}
		file.Attributes[name] = string(value)
	}
	return file, nil
}

// Bounds on a list of files.
const (
	maxFiles     = 100_000
	maxFileBytes = 64 << 20
)

// ListFiles lists a directory, depth levels deep (0 means 1), in the order of
// their paths, each directory before what is in it.
func (c *Cell) ListFiles(ctx context.Context, path string, depth int, o api.FileOptions) ([]api.FileInfo, error) {
	ch, err := c.mux.Open(wire.KindListDir, wire.ListDir{Path: pathOf(path, o), Depth: max(1, depth), Max: maxFiles})
	if err != nil {
		return nil, c.refused(ctx, err)
	}
	defer ch.Close(wire.Done{})
	defer c.closeWith(ctx, ch)()
	decoder := json.NewDecoder(io.LimitReader(ch, maxFileBytes))
	list := []api.FileInfo{}
	for len(list) <= maxFiles {
		var info wire.FileInfo
		if err := decoder.Decode(&info); errors.Is(err, io.EOF) {
			return list, c.endOf(ctx, ch)
		} else if err != nil {
			return nil, c.refused(ctx, err)
		}
		file, err := c.fileInfo(ctx, &info)
		if err != nil {
			return nil, err
		}
		list = append(list, *file)
	}
	return nil, api.Errorf(api.LimitExceeded, "the directory has more than %d entries", maxFiles)
}

// endOf waits for the status of a channel that has given all its data.
func (c *Cell) endOf(ctx context.Context, ch *wire.Channel) error {
	var done wire.Done
	if err := ch.Status(&done); err != nil {
		return c.refused(ctx, err)
	}
	return refusal(done)
}

// ReadFile returns the bytes of a regular file from an offset on, at most limit
// of them unless that is 0, and describes it. Ctx is that of the reader too.
func (c *Cell) ReadFile(ctx context.Context, path string, offset, limit int64, o api.FileOptions) (io.ReadCloser, *api.FileInfo, error) {
	if offset < 0 || limit < 0 {
		return nil, nil, api.Errorf(api.RequestInvalid, "the offset is %d and the limit %d, expected 0 or more", offset, limit).
			WithDetails(api.Details{Field: "offset"})
	}
	d, err := c.openDownload(ctx, wire.KindRead, wire.Read{Path: pathOf(path, o), Offset: offset, Limit: limit})
	if err != nil {
		return nil, nil, err
	}
	info, err := d.info()
	if err != nil {
		return nil, nil, errors.Join(err, d.Close())
	}
	return d, info, nil
}

// DownloadTree returns a file or a directory as a tar archive with paths relative
// to it. Ctx is that of the reader too.
func (c *Cell) DownloadTree(ctx context.Context, path string, o api.FileOptions) (io.ReadCloser, error) {
	d, err := c.openDownload(ctx, wire.KindDownload, pathOf(path, o))
	if err != nil {
		return nil, err
	}
	if _, err := d.data.Peek(1); err != nil {
		return nil, errors.Join(d.ended(err), d.Close())
	}
	return d, nil
}

// download reads what a channel carries, and then its status.
type download struct {
	cell *Cell
	ctx  context.Context
	ch   *wire.Channel
	data *bufio.Reader
	stop func() bool
}

func (c *Cell) openDownload(ctx context.Context, kind string, request any) (*download, error) {
	ch, err := c.mux.Open(kind, request)
	if err != nil {
		return nil, c.refused(ctx, err)
	}
	return &download{cell: c, ctx: ctx, ch: ch, data: bufio.NewReaderSize(ch, wire.MaxRecord), stop: c.closeWith(ctx, ch)}, nil
}

// info reads the description that comes before the bytes of a file.
func (d *download) info() (*api.FileInfo, error) {
	record, err := wire.ReadRecord(d.data)
	if err != nil {
		return nil, d.ended(err)
	}
	var info wire.FileInfo
	if err := json.Unmarshal(record.Data, &info); err != nil || record.Kind != wire.RecordInfo {
		return nil, d.cell.refused(d.ctx, errors.New("a file without a description"))
	}
	return d.cell.fileInfo(d.ctx, &info)
}

// Read implements io.Reader.
func (d *download) Read(p []byte) (int, error) {
	n, err := d.data.Read(p)
	if err != nil {
		err = d.ended(err)
	}
	return n, err
}

// ended says why there is no more to read.
func (d *download) ended(err error) error {
	if !errors.Is(err, io.EOF) {
		return d.cell.refused(d.ctx, err)
	}
	if err := d.cell.endOf(d.ctx, d.ch); err != nil {
		return err
	}
	return io.EOF
}

// Close implements io.Closer.
func (d *download) Close() error {
	d.stop()
	d.ch.Close(wire.Done{})
	return nil
}

// WriteFile writes a file, and makes the directories above it.
func (c *Cell) WriteFile(ctx context.Context, path string, content io.Reader, o api.WriteOptions) (*api.FileInfo, error) {
	request := wire.Write{Path: pathOf(path, o.FileOptions), Mode: o.Mode, Append: o.Append, Replace: o.Attributes != nil}
	if request.Mode == 0 {
		request.Mode = 0o644
	}
	if request.Mode > 0o7777 {
		return nil, api.Errorf(api.RequestInvalid, "the mode %o has more than permission bits", o.Mode).WithDetails(api.Details{Field: "mode"})
	}
	request.Attributes = make(map[string]wire.Text, len(o.Attributes))
	for name, value := range o.Attributes {
		request.Attributes[name] = wire.Text(value)
	}
	var done wire.FileDone
	if err := c.send(ctx, wire.KindWrite, request, content, &done, func() wire.Done { return done.Done }); err != nil {
		return nil, err
	}
	return c.fileInfo(ctx, done.Info)
}

// UploadTree unpacks a tar archive in a directory, which is made if it must be.
func (c *Cell) UploadTree(ctx context.Context, path string, archive io.Reader, o api.FileOptions) error {
	var done wire.Done
	return c.send(ctx, wire.KindUpload, pathOf(path, o), archive, &done, func() wire.Done { return done })
}

// send sends a request and what from gives, and decodes the answer into status.
// When from fails, the guest keeps what it has.
func (c *Cell) send(ctx context.Context, kind string, request any, from io.Reader, status any, done func() wire.Done) error {
	if ctx.Err() != nil {
		return c.refused(ctx, ctx.Err())
	}
	upload := &upload{Upload: c.mux.NewUpload(kind, request), cell: c, ctx: ctx}
	defer upload.close()
	_, err := io.Copy(upload, from)
	if err != nil && upload.failed == nil {
		return err // the caller's own
	}
	if err == nil {
		err = upload.Finish()
	}
	if err != nil && (upload.Channel() == nil || !errors.Is(err, io.ErrClosedPipe)) {
		return c.refused(ctx, err)
	}
	upload.bind()
	// A guest that has given up before says why.
	if err := upload.Channel().Status(status); err != nil {
		return c.refused(ctx, err)
	}
	return refusal(done())
}

// upload ends with its context, once it has a channel.
type upload struct {
	*wire.Upload
	cell   *Cell
	ctx    context.Context
	stop   func() bool
	failed error // of the channel
}

// Write implements io.Writer.
func (u *upload) Write(p []byte) (int, error) {
	n, err := u.Upload.Write(p)
	u.failed = err
	u.bind()
	return n, err
}

func (u *upload) bind() {
	if u.stop == nil && u.Channel() != nil {
		u.stop = u.cell.closeWith(u.ctx, u.Channel())
	}
}

func (u *upload) close() {
	if u.stop == nil {
		u.bind()
	}
	if u.stop != nil {
		u.stop()
		u.Channel().Close(wire.Done{})
	}
}
