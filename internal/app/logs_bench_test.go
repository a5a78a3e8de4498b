package app

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/engine/runlog"
	"github.com/glovebox-dev/glovebox/internal/server"
)

// BenchmarkLogs measures windows of a log with a million lines of 60 bytes that were printed
// one by one, and of such a log without numbers of lines, as an older Glovebox wrote it.
func BenchmarkLogs(b *testing.B) {
	a := openApp(b, b.TempDir())
	fillJournal(b, a.db.Journal(), 3, 0)
	writeLogs(b, a.Home.Log("run-000001"), a.Home.Log("run-000002"))
	s, err := server.New(server.Config{Service: a.Service(), TokenHash: server.HashToken("token")})
	if err != nil {
		b.Fatal(err)
	}
	cookies := signIn(b, s.Handler(), "token")
	for _, w := range []struct{ name, query, want string }{
		{"jump", "line=700000", ">line 0700000 "}, {"end", "tail=1", ">line 1000000 "}, {"miss", "text=nothing+like+it", "No line is like that"}, {"hit", "text=line+0999999", "?line=999999"},
	} {
		for name, run := range map[string]string{"counted": "run-000001", "old": "run-000002"} {
			b.Run(w.name+"/"+name, func(b *testing.B) {
				before := processorTime(b)
				for b.Loop() {
					if body := visit(b, s.Handler(), "/page/runs/"+run+"/log?"+w.query, cookies).String(); !strings.Contains(body, w.want) {
						b.Fatal(body)
					}
				}
				b.ReportMetric((processorTime(b)-before).Seconds()*1000/float64(b.N), "cpu-ms/op")
			})
		}
	}
}

// writeLogs writes a long log, and the same without numbers of lines.
func writeLogs(b *testing.B, counted, old string) {
	log := runlog.New(counted, func() {}, runlog.Bound{})
	for i := range 1_000_000 {
		log.Add("stdout", fmt.Appendf(nil, "line %07d of what a program prints, which has sixty bytes\n", i+1))
	}
	log.Close()
	text, err := os.ReadFile(counted)
	if err != nil {
		b.Fatal(err)
	}
	text = regexp.MustCompile(`(?m)^(\{"seq":\d+),"line":\d+`).ReplaceAll(text, []byte("$1"))
	if err := os.WriteFile(old, text, 0o600); err != nil {
		b.Fatal(err)
	}
}
