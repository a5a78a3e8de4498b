package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/value"
)

// TestFormsReadBack holds that the form of a value, sent as it is, gives the value.
func TestFormsReadBack(t *testing.T) {
	file := `{"path":"a.csv","size":3,"sha256":"` + strings.Repeat("a", 64) + `"}`
	for _, c := range []struct{ typ, raw, widget string }{
		{"int", "3", "number"}, {"float", "2.5", "text"}, {"bool", "false", "bool"}, {"str", `"a\nb"`, "area"}, {"str", `""`, "text"}, {"bytes", `"aGk="`, "text"},
		{"date", `"2026-11-28"`, "date"}, {"datetime", `"2026-11-28T09:30:00"`, "datetime"}, {"datetime", `"2026-11-28T09:30:00+02:00"`, "datetime"}, {"datetime", `"2026-11-28T09:30:00.000001-05:30"`, "datetime"},
		{"time", `"13:05:00+02:00"`, "text"}, {"timedelta", `"-PT90S"`, "text"}, {"Decimal", `"1.50"`, "text"}, {"UUID", `"01234567-89ab-cdef-0123-456789abcdef"`, "text"},
		{"Optional[int]", "null", "number"}, {"Optional[list[int]]", "null", "list"}, {"Optional[list[int]]", "[]", "list"},
		{"list[int]", "[1,2]", "list"}, {"set[str]", `["a","b"]`, "list"}, {"tuple[int, str]", `[1,"x"]`, "tuple"}, {"tuple[date, ...]", `["2026-11-28"]`, "list"},
		{"dict[str, list[int]]", `{"b":[1],"a/ \"":[]}`, "dict"}, {"dict[int, bool]", `{"7":true}`, "dict"}, {"dict[date, float]", `{"2026-11-28":1.5}`, "dict"}, {"dict[bool, str]", `{"true":"x"}`, "dict"},
		{"list[tuple[str, Optional[int]]]", `[["a",1],["b",null]]`, "list"}, {"list[File]", "[" + file + "]", "list"}, {"File", file, "file"},
		{"Any", `{"a":[1,"x"]}`, "dict"}, {"Union[int, str]", `"7"`, "json"}, {"list[Any]", `[1]`, "list"}, {"list[list[list[list[list[int]]]]]", `[[[[[1]]]]]`, "json"},
		{"Any", "null", "any"}, {"Any", `"a\nb"`, "any"}, {"Any", "true", "any"}, {"Any", "-1.50", "any"}, {"Any", `{"$datetime":"2026-11-28T09:30:00"}`, "any"}, {"Any", `[[[[[1]]]]]`, "list"},
		{"dict[str, Any]", `{"name":"a","at":{"$date":"2026-11-28"},"of":null,"in":{"x":[1,true,"",{}]}}`, "dict"}, {"list[dict[str, Any]]", `[{"name":"a","age":3},{"name":"b","age":null}]`, "list"},
		{"list[int]", "[" + strings.Repeat("1,", maxFormRows) + "1]", "json"},
	} {
		param := value.Param{Name: "x", Type: typeOf(c.typ)}
		in := inputsOf([]value.Param{param}, map[string]json.RawMessage{"x": json.RawMessage(c.raw)})[0]
		if in.Widget != c.widget {
			t.Errorf("%s %s is shown as %s, expected %s", c.typ, c.raw, in.Widget, c.widget)
		}
		form := url.Values{}
		fill(form, in)
		got, fields, ok := readInputs(form, []value.Param{param})
		want, err := value.Decode("input", []value.Param{param}, object("x", json.RawMessage(c.raw)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want.JSON()), string(got.JSON())); !ok || diff != "" {
			t.Errorf("%s %s: %+v (-want +got)\n%s", c.typ, c.raw, fields[0], diff)
		}
	}
}

// TestChoices shows what an Enum leaves as a choice, and holds a form to it.
func TestChoices(t *testing.T) {
	choices := func(texts ...string) (all []json.RawMessage) {
		for _, text := range texts {
			all = append(all, json.RawMessage(text))
		}
		return all
	}
	for _, c := range []struct {
		param  value.Param
		widget string
		sent   string
		want   string // empty if it is refused
	}{
		{value.Param{Type: typeOf("str"), Choices: choices(`"fast"`, `"slow"`)}, "choice", "slow", `{"x":"slow"}`},
		{value.Param{Type: typeOf("str"), Choices: choices(`"fast"`, `"slow"`)}, "choice", "other", ""},
		{value.Param{Type: typeOf("int"), Choices: choices("1", "2")}, "choice", "2", `{"x":2}`},
		{value.Param{Type: typeOf("Optional[date]"), Choices: choices(`"2026-11-28"`)}, "choice", "", `{"x":null}`},
		{value.Param{Type: typeOf("bool"), Choices: choices("true")}, "choice", "true", `{"x":true}`},
		{value.Param{Type: typeOf("str"), Choices: choices(`""`, `"a"`)}, "text", "", `{"x":""}`},
		{value.Param{Type: typeOf("str"), Choices: choices(`""`, `"a"`)}, "text", "b", ""},
	} {
		c.param.Name = "x"
		params := []value.Param{c.param}
		if in := inputsOf(params, nil)[0]; in.Widget != c.widget || c.widget == "choice" && len(in.Choices) != len(c.param.Choices) {
			t.Errorf("%s %s is shown as %+v", c.param.Type, c.param.Choices, in)
		}
		got, fields, ok := readInputs(url.Values{"in-x": {c.sent}}, params)
		if ok != (c.want != "") || ok && string(got.JSON()) != c.want || !ok && !strings.Contains(fields[0].Problem, "one of") {
			t.Errorf("%s %q: got %s, %+v, want %s", c.param.Type, c.sent, got.JSON(), fields[0], c.want)
		}
	}
}

// fill writes into a form what a browser would send of a field.
func fill(form url.Values, in input) {
	switch in.Widget {
	case "list", "dict", "tuple", "any":
		if in.As != "" {
			form.Set(in.Name+"/as", in.As)
		}
		if in.Widget == "any" {
			form.Set(in.Name, in.Value)
			return
		}
		form.Set(in.Name+"/n", fmt.Sprint(len(in.Items)))
		if in.None {
			form.Set(in.Name+"/none", "1")
		}
		for _, item := range in.Items {
			fill(form, item)
			if item.Key != nil {
				fill(form, *item.Key)
			}
		}
		return
	case "datetime":
		form.Set(in.Name+"/zone", in.Zone)
	}
	form.Set(in.Name, in.Value)
}

func TestFormsSayWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		typ, form string
		wrong     []string // the names of the fields
	}{
		{"int", "in-x=three", []string{"in-x"}}, {"int", "", []string{"in-x"}}, {"date", "in-x=tomorrow", []string{"in-x"}}, {"timedelta", "in-x=soon", []string{"in-x"}}, {"UUID", "in-x=1", []string{"in-x"}}, {"datetime", "in-x=2026-11-28T09:30&in-x/zone=east", []string{"in-x"}},
		{"bytes", "in-x=*", []string{"in-x"}}, {"Any", "in-x={", []string{"in-x"}}, {"Any", "in-x=three&in-x/as=number", []string{"in-x"}}, {"Any", "in-x=true&in-x/as=number", []string{"in-x"}},
		{"Any", "in-x=a&in-x/as=record", []string{"in-x"}}, {"Any", "in-x/as=list&in-x/n=1&in-x/0=&in-x/0/as=number", []string{"in-x/0"}}, {"dict[str, Any]", "in-x/n=2&in-x/0/key=a&in-x/1/key=a&in-x/0/as=none&in-x/1/as=none", []string{"in-x"}},
		{"list[int]", "in-x/n=3&in-x/0=1&in-x/1=b&in-x/2=", []string{"in-x/1", "in-x/2"}}, {"tuple[int, int]", "in-x/0=1", []string{"in-x/1"}},
		{"dict[int, str]", "in-x/n=1&in-x/0=a&in-x/0/key=seven", []string{"in-x/0/key"}}, {"dict[str, int]", "in-x/n=2&in-x/0=1&in-x/1=2&in-x/0/key=a&in-x/1/key=a", []string{"in-x"}},
		{"list[int]", "in-x=" + url.QueryEscape("["+strings.Repeat("1,", maxJSONField)+"1]"), []string{"in-x"}},
		{"File", `in-x={"path":"/etc/passwd"}`, []string{"in-x"}}, {"File", `in-x="/etc/passwd"`, []string{"in-x"}}, {"File", `in-x={"path":"a","size":1,"sha256":"AA"}`, []string{"in-x"}},
		{"list[File]", `in-x=["/etc/passwd"]`, []string{"in-x"}}, {"dict[str, Dir]", `in-x={"a":{"path":"/etc"}}`, []string{"in-x"}},
	} {
		form, err := url.ParseQuery(c.form)
		if err != nil {
			t.Fatal(err)
		}
		_, fields, ok := readInputs(form, []value.Param{{Name: "x", Type: typeOf(c.typ)}})
		if got := problems(fields); ok || !cmp.Equal(got, c.wrong) {
			t.Errorf("%s %.80s: ok is %v, wrong are %q, expected %q", c.typ, c.form, ok, got, c.wrong)
		}
		if said := fmt.Sprintf("%+v", fields); strings.Contains(said, "defect") {
			t.Errorf("%s %.80s blames the program: %s", c.typ, c.form, said)
		}
	}
}

func problems(fields []input) (names []string) {
	for _, in := range fields {
		if in.Problem != "" {
			names = append(names, in.Name)
		}
		if in.Key != nil {
			names = append(names, problems([]input{*in.Key})...)
		}
		names = append(names, problems(in.Items)...)
	}
	return names
}

// TestFormsChange holds the buttons of a form to what they change, without a word about
// values that are still missing.
func TestFormsChange(t *testing.T) {
	params := []value.Param{{Name: "x", Type: typeOf("list[int]")}, {Name: "y", Type: typeOf("int")}}
	for do, want := range map[string]string{
		"add in-x": "in-x/0=a in-x/1=2 in-x/2=", "remove in-x/0": "in-x/0=2", "json in-y": "in-x/0=a in-x/1=2", "remove in-x/7": "in-x/0=a in-x/1=2",
	} {
		_, fields, ok := readInputs(url.Values{"in-x/n": {"2"}, "in-x/0": {"a"}, "in-x/1": {"2"}, "do": {do}}, params)
		var got []string
		for _, item := range fields[0].Items {
			got = append(got, item.Name+"="+item.Value)
		}
		if strings.Join(got, " ") != want || ok || problems(fields) != nil {
			t.Errorf("%s: %q, ok is %v, wrong are %q", do, got, ok, problems(fields))
		}
	}
	_, fields, _ := readInputs(url.Values{"in-x/n": {"2"}, "in-x/0": {"1"}, "in-x/1": {"2"}, "do": {"json in-x"}}, params)
	if fields[0].Widget != "json" || fields[0].Value != "[1,2]" {
		t.Errorf("as JSON: %+v", fields[0])
	}
	_, fields, _ = readInputs(url.Values{"in-x": {"[1, 2]"}, "do": {"rows in-x"}}, params)
	if fields[0].Widget != "list" || len(fields[0].Items) != 2 {
		t.Errorf("as fields: %+v", fields[0])
	}
	_, fields, _ = readInputs(url.Values{"in-x/n": {"99999999"}, "do": {"add in-x"}}, params)
	if len(fields[0].Items) != maxFormRows {
		t.Errorf("%d rows", len(fields[0].Items))
	}
}

// TestFormsShapeWhatCanBeAnything: a value without a declared form is changed from one into
// another, and a record that is added to a list is like the one before.
func TestFormsShapeWhatCanBeAnything(t *testing.T) {
	for _, c := range []struct{ typ, form, want string }{
		{"Any", "do=as in-x&in-x/as=record&in-x=hello", "in-x:dict/record="},
		{"Any", `do=as in-x&in-x/as=record&in-x={"a":1}`, "in-x:dict/record= in-x/0:any/number=1"},
		{"Any", `do=as in-x&in-x/as=list&in-x={"a":1}`, "in-x:list/list="},
		{"Any", "do=as in-x&in-x/as=number&in-x=hello", "in-x:any/number=hello"},
		{"Any", "do=json in-x&in-x/as=list&in-x/n=1&in-x/0=a&in-x/0/as=text", `in-x:any/json=["a"]`},
		{"Any", "do=add in-x&in-x/as=record", "in-x:dict/record= in-x/0:any/text="},
		{"list[dict[str, Any]]", "do=add in-x&in-x/n=1&in-x/0/n=2&in-x/0/0=a&in-x/0/0/as=text&in-x/0/0/key=name&in-x/0/1=3&in-x/0/1/as=number&in-x/0/1/key=age",
			"in-x:list/= in-x/0:dict/= in-x/0/0:any/text=a in-x/0/1:any/number=3 in-x/1:dict/= in-x/1/0:any/text= in-x/1/1:any/number="},
	} {
		form, err := url.ParseQuery(c.form)
		if err != nil {
			t.Fatal(err)
		}
		_, fields, ok := readInputs(form, []value.Param{{Name: "x", Type: typeOf(c.typ)}})
		if got := strings.Join(shapes(fields), " "); ok || got != c.want || problems(fields) != nil {
			t.Errorf("%s: %s\n got %q, wrong are %q", c.form, c.want, got, problems(fields))
		}
	}
}

func shapes(fields []input) (all []string) {
	for _, in := range fields {
		all = append(append(all, in.Name+":"+in.Widget+"/"+in.As+"="+in.Value), shapes(in.Items)...)
	}
	return all
}

// part is a part of a form with files; a file has a name.
type part struct{ name, file, text string }

func (b *browser) sendParts(address string, parts ...part) *httptest.ResponseRecorder {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for _, p := range parts {
		h := textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf(`form-data; name=%q`, p.name)}}
		if p.file != "" {
			h.Set("Content-Disposition", fmt.Sprintf(`form-data; name=%q; filename="%s"`, p.name, p.file))
		}
		to, _ := w.CreatePart(h) // a buffer takes everything
		_, _ = io.WriteString(to, p.text)
	}
	_ = w.Close()
	return b.sendBody(address, w.FormDataContentType(), body.Bytes())
}

func (b *browser) sendBody(address, kind string, body []byte) *httptest.ResponseRecorder {
	r := b.request("POST", address, nil)
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.Header.Set("Content-Type", kind)
	return b.do(r)
}

func (b *browser) token() part {
	return part{name: "form-token", text: b.page.keys.formToken(b.cookie)}
}

func TestUploads(t *testing.T) {
	f := hostileService()
	f.tasks[0].Task.Signature.Inputs = []value.Param{{Name: "one", Type: typeOf("File")}, {Name: "all", Type: typeOf("Dir")}, {Name: "n", Type: typeOf("int")}}
	f.tasks[0].Signature = f.tasks[0].Task.Signature
	b := newBrowser(t, f)
	w := b.sendParts("/page/upload/input", b.token(), part{"file:ref", "a b.txt", "hello"})
	if got := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(got, `"path":"a b.txt"`) || string(f.stored["hello"]) != "hello" {
		t.Fatalf("%d %s", w.Code, got)
	}
	sent := w.Body.String()
	w = b.sendParts("/page/upload/input", b.token(), part{"dir:ref", "top/x.txt", "1"}, part{"dir:ref", "top/sub/y.txt", "22"})
	if got := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(got, `"path":"top"`) || f.tree != "sub/y.txt=22 x.txt=1" {
		t.Errorf("%d %s, the tree has %s", w.Code, got, f.tree)
	}
	// The whole form, as without script: one file is there, the directory comes with it.
	w = b.sendParts("/page/tasks/desk.order/start", b.token(), part{"in-one", "", sent}, part{"file:in-one", "", ""}, part{"in-all", "", ""}, part{"dir:in-all", "d/z", "3"}, part{"in-n", "", "no number"})
	page := w.Body.String()
	if w.Code != http.StatusUnprocessableEntity || strings.Count(page, `class="chosen"`) != 2 || strings.Count(page, `aria-invalid="true"`) != 1 {
		t.Errorf("%d %s", w.Code, page)
	}
	if w = b.sendParts("/page/tasks/desk.order/start", b.token(), part{"in-one", "", sent}, part{"dir:in-all", "d/z", "3"}, part{"in-n", "", "3"}); w.Code != http.StatusSeeOther {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if one := f.sent.Inputs["one"].(value.File); one.Path != "a b.txt" || one.SHA256 == "" {
		t.Errorf("the run gets %+v", one)
	}
}

// TestAttackV07_Uploads holds that a form with files is bounded, names nothing but
// itself, and is read no further than its token if that is wrong.
func TestAttackV07_Uploads(t *testing.T) {
	f := hostileService()
	b := newBrowser(t, f)
	for _, name := range []string{"top/../../x", "top/../x", "top//x", "/etc/x", "top/a\\b", "top/.", "top/" + strings.Repeat("x", maxPathBytes), "top/\xff"} {
		if w := b.sendParts("/page/upload/input", b.token(), part{"dir:ref", name, "x"}); w.Code/100 != 4 {
			t.Errorf("a file called %.40q in a directory: %d %s", name, w.Code, w.Body)
		}
	}
	if w := b.sendParts("/page/upload/input", b.token(), part{"dir:ref", "top/a", "x"}, part{"dir:ref", "top/a", "y"}); w.Code/100 != 4 {
		t.Errorf("a name that comes twice: %d", w.Code)
	}
	if w := b.sendParts("/page/upload/input", b.token(), part{"dir:ref", "top/a", "x"}, part{"dir:ref", "top/a/b", "y"}); w.Code/100 != 4 {
		t.Errorf("a file that is a directory too: %d", w.Code)
	}
	for _, name := range []string{"../../etc/passwd", `C:\\x\\passwd`, ".."} {
		w := b.sendParts("/page/upload/input", b.token(), part{"file:ref", name, "x"})
		if got := w.Body.String(); w.Code != http.StatusOK || strings.ContainsAny(got, `/\`) || strings.Contains(got, "..") {
			t.Errorf("a file called %q: %d %s", name, w.Code, got)
		}
	}
	kind := "multipart/form-data; boundary=x"
	head := "--x\r\nContent-Disposition: form-data; name=\"form-token\"\r\n\r\n" + b.token().text + "\r\n"
	field := "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
	file := "--x\r\nContent-Disposition: form-data; name=\"file:ref\"; filename=\"a\"\r\n\r\n"
	for name, body := range map[string]string{
		"a million fields": head + strings.Repeat(field, 1_000_000), "a long field": head + "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n" + strings.Repeat("a", maxForm+1) + "\r\n--x--",
		"a form that is cut": head + file + "cut", "no form": "nothing", "headers without end": head + "--x\r\n" + strings.Repeat("A: b\r\n", 1_000_000),
		"a part without a name": head + "--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--", "a file for no field": head + strings.Replace(file, "file:ref", "other", 1) + "1\r\n--x--",
	} {
		if w := b.sendBody("/page/upload/input", kind, []byte(body)); w.Code/100 != 4 {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	if len(f.stored) > 1 {
		t.Errorf("stored were %q", f.stored)
	}
	f.stored = nil
	for name, parts := range map[string][]part{
		"without a token": {{"file:ref", "a", "x"}}, "the token last": {{"file:ref", "a", "x"}, b.token()}, "of another cookie": {{"form-token", "", b.page.keys.formToken("other")}, {"dir:ref", "a/b", "x"}},
	} {
		if w := b.sendParts("/page/upload/input", parts...); w.Code != http.StatusUnauthorized || f.stored != nil {
			t.Errorf("%s: %d, stored were %q", name, w.Code, f.stored)
		}
	}
	left, err := os.ReadDir(os.TempDir())
	for _, one := range left {
		if strings.HasPrefix(one.Name(), "glovebox-upload-") {
			t.Errorf("%s is left, %v", one.Name(), err)
		}
	}
}
