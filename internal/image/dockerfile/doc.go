// Package dockerfile reads a Dockerfile and says what is to be done for it. It
// does nothing itself: it starts no program, opens no file and reaches no
// network.
//
//   - Parse reads the text with BuildKit's own parser, resolves the stages that
//     the target needs, and refuses what is not supported with its line.
//   - Stage.Steps follows the instructions of one stage from the configuration
//     of its base, as BuildKit does, and gives the steps that change files, and
//     the configuration at the end.
//
// The rules are those of BuildKit's frontend (dockerfile2llb in
// github.com/moby/buildkit), which Docker uses.
package dockerfile
