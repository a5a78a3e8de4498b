package image

import (
	"context"
	"io/fs"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/image/copier"
	"github.com/glovebox-dev/glovebox/internal/image/dockerfile"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// dockerBuild is the build of a Dockerfile. Each of its stages is a build of its
// own, with what they share in common.
type dockerBuild struct {
	*build
	stages  map[*dockerfile.Stage]*dockerStage
	images  map[string]*dockerStage // that files are taken from, by reference
	context *tree                   // once it is asked for
	trees   []*tree                 // to be closed
}

// dockerStage is a stage under way, or an image that files are taken from.
type dockerStage struct {
	*build
	d      *dockerBuild
	copies *copier.Copier // of the steps since the last program
	view   *tree          // of the files, once it is asked for
}

// dockerfile makes the image of a Dockerfile.
func (b *build) dockerfile(ctx context.Context) (*Record, error) {
	spec := b.order.spec
	plan, err := dockerfile.Parse(spec.Dockerfile, dockerOptions(spec))
	if err != nil {
		return nil, err
	}
	b.lock = &Lock{Version: lockVersion, Spec: spec}
	d := &dockerBuild{build: b, stages: map[*dockerfile.Stage]*dockerStage{}, images: map[string]*dockerStage{}}
	defer d.close()
	var last *dockerStage
	for _, st := range plan {
		if last, err = d.stage(ctx, st); err != nil {
			return nil, err
		}
		d.stages[st] = last
	}
	b.lock.Base = last.base.Base
	b.lock.Python = firstOf(last.info.Patch, last.info.Version)
	return last.finish(ctx)
}

func dockerOptions(spec Spec) dockerfile.Options {
	return dockerfile.Options{Args: spec.BuildArgs, Target: spec.Target, Platform: spec.Platform}
}

func (d *dockerBuild) close() {
	for _, t := range d.trees {
		t.Close() // it was only read
	}
}

// stage carries out one stage.
func (d *dockerBuild) stage(ctx context.Context, st *dockerfile.Stage) (*dockerStage, error) {
	s, err := d.begin(ctx, st)
	if err != nil {
		return nil, err
	}
	steps, config, err := st.Steps(s.config)
	if err != nil {
		return nil, err
	}
	for _, step := range steps {
		if err := s.step(ctx, step); err != nil {
			return nil, err
		}
	}
	s.config, s.env = config, config.Env
	return s, nil
}

// begin gives a stage its base: an earlier stage, an image, or nothing.
func (d *dockerBuild) begin(ctx context.Context, st *dockerfile.Stage) (*dockerStage, error) {
	if from := st.From.Stage; from != nil {
		return d.stages[from].fork(), nil
	}
	base := &baseRecord{Base: Base{Kind: "scratch"}}
	if st.From.Image != "" {
		var err error
		if base, err = d.base(ctx, st.From.Image); err != nil {
			return nil, atLine(st.Line, "FROM "+st.From.Image, err)
		}
	}
	return d.startWith(ctx, base)
}

func (d *dockerBuild) startWith(ctx context.Context, base *baseRecord) (*dockerStage, error) {
	own := *d.build
	s := &dockerStage{build: &own, d: d}
	return s, s.beginWith(ctx, base)
}

// fork begins where s ended.
func (s *dockerStage) fork() *dockerStage {
	own := *s.build
	own.layers = append([]oci.Layer{}, s.layers...)
	return &dockerStage{build: &own, d: s.d, view: s.view}
}

func (s *dockerStage) step(ctx context.Context, step dockerfile.Step) error {
	switch {
	case step.Run != nil:
		return atLine(step.Line, step.Text, s.runProgram(ctx, step))
	case step.Copy != nil:
		return atLine(step.Line, step.Text, s.copyFiles(ctx, step))
	}
	return atLine(step.Line, step.Text, s.makeDir(ctx, step))
}

// atLine says at which instruction an error came up, and keeps its code.
func atLine(line int, text string, err error) error {
	if err == nil {
		return nil
	}
	e := *api.AsError(err)
	if strings.HasPrefix(e.Message, "Dockerfile:") {
		return err
	}
	if e.Code == api.Internal {
		return err
	}
	e.Message = "Dockerfile:" + strconv.Itoa(line) + ": " + oneLine(text) + ": " + e.Message
	if e.Details.Field == "" {
		e.Details.Field = "image.dockerfile"
	}
	return &e
}

// source finds the tree that a copy or a mount takes files from.
func (s *dockerStage) source(ctx context.Context, from dockerfile.Source) (copier.Tree, error) {
	switch {
	case from.Stage != nil:
		return s.d.stages[from.Stage].tree(ctx)
	case from.Image != "":
		img, err := s.d.image(ctx, from.Image)
		if err != nil {
			return nil, err
		}
		return img.tree(ctx)
	}
	return s.d.contextTree(ctx)
}

// image gives an image that files are taken from.
func (d *dockerBuild) image(ctx context.Context, ref string) (*dockerStage, error) {
	if s, ok := d.images[ref]; ok {
		return s, nil
	}
	base, err := d.base(ctx, ref)
	if err != nil {
		return nil, err
	}
	s, err := d.startWith(ctx, base)
	if err != nil {
		return nil, err
	}
	d.images[ref] = s
	d.lock.Bases = append(d.lock.Bases, base.Base)
	return s, nil
}

// tree is a file system that is read, and its file.
type tree struct {
	*oci.Tree
	path string
}

// openTree opens an EROFS file until the build is over.
func (d *dockerBuild) openTree(path string) (*tree, error) {
	opened, err := oci.OpenTree(path)
	if err != nil {
		return nil, err
	}
	t := &tree{opened, path}
	d.trees = append(d.trees, t)
	return t, nil
}

// tree shows the files of the stage as its layers make them now.
func (s *dockerStage) tree(ctx context.Context) (*tree, error) {
	path, err := s.materialize(ctx)
	if err != nil {
		return nil, err
	}
	if s.view != nil && s.view.path == path {
		return s.view, nil
	}
	if s.view, err = s.d.openTree(path); err != nil {
		return nil, err
	}
	return s.view, nil
}

// exists reports whether a path is there, without following its last link.
func exists(t fs.FS, path string) bool {
	links, ok := t.(fs.ReadLinkFS)
	if !ok {
		return false
	}
	_, err := links.Lstat(strings.TrimPrefix(path, "/"))
	return err == nil
}
