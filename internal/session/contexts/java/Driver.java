import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jdk.jshell.Diag;
import jdk.jshell.EvalException;
import jdk.jshell.ExpressionSnippet;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.UnresolvedReferenceException;
import sun.misc.Signal;

/** Runs Java by JShell in this process. Requests come by descriptor 4, and events go to 3. */
public class Driver {
    static JShell shell;
    static Outlet outlet;
    static volatile boolean interrupted;

    public static void main(String[] args) throws Exception {
        Files.delete(Path.of(args[0], "Driver.java"));
        Files.delete(Path.of(args[0]));
        outlet = new Outlet(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        System.setIn(InputStream.nullInputStream());
        System.setOut(outlet.stream("stdout"));
        System.setErr(outlet.stream("stderr"));
        System.getenv().forEach((name, value) -> System.getProperties().putIfAbsent(name, value));
        shell = JShell.builder().executionEngine("local").build();
        for (String name : List.of("io", "math", "net", "nio.file", "util", "util.concurrent", "util.function", "util.regex", "util.stream")) {
            shell.eval("import java." + name + ".*;");
        }
        Signal.handle(new Signal("INT"), signal -> {
            interrupted = true;
            shell.stop();
        });
        serve(new DataInputStream(new java.io.BufferedInputStream(new FileInputStream("/dev/fd/4"))));
        Runtime.getRuntime().halt(0);
    }

    /** Reads a line with an id, a count and sizes, and then texts: code, and variables. */
    static void serve(DataInputStream requests) throws IOException {
        for (String line = line(requests); !line.isEmpty(); line = line(requests)) {
            String[] words = line.split(" ");
            List<String> texts = new ArrayList<>();
            for (int i = 2; i < words.length; i++) {
                texts.add(new String(requests.readNBytes(Integer.parseInt(words[i])), StandardCharsets.UTF_8));
            }
            if (texts.isEmpty()) {
                outlet.ready(words[0]);
            } else {
                execute(words[0], texts);
            }
        }
    }

    static String line(InputStream from) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = from.read(); c >= 0 && c != '\n'; c = from.read()) {
            line.append((char) c);
        }
        return line.toString();
    }

    static void execute(String id, List<String> texts) {
        Map<String, String> variables = new LinkedHashMap<>();
        for (int i = 1; i < texts.size(); i += 2) {
            variables.put(texts.get(i), texts.get(i + 1));
        }
        interrupted = false;
        outlet.begin(id);
        Map<String, String> before = setAll(variables, System.getenv());
        Map<String, String> properties = setAll(variables, null);
        try {
            run(texts.get(0));
        } catch (Throwable e) { // of the compiler
            fail(e.getClass().getName(), String.valueOf(e.getMessage()), e + "\n");
        }
        setAll(before, System.getenv());
        setAll(properties, null);
        System.out.flush();
        System.err.flush();
        outlet.end();
    }

    /** Sets variables of the process, or else properties, and returns what they were. */
    static Map<String, String> setAll(Map<String, String> values, Map<String, String> environment) {
        Map<String, String> before = new LinkedHashMap<>();
        Map<String, String> all = environment == null ? null : writable(environment);
        values.forEach((name, value) -> {
            if (all == null) {
                before.put(name, value == null ? System.clearProperty(name) : System.setProperty(name, value));
            } else {
                before.put(name, value == null ? all.remove(name) : all.put(name, value));
            }
        });
        return before;
    }

    /** Java itself does not let a process change its variables. */
    @SuppressWarnings("unchecked")
    static Map<String, String> writable(Map<String, String> environment) {
        try {
            var field = Class.forName("java.util.Collections$UnmodifiableMap").getDeclaredField("m");
            field.setAccessible(true);
            return (Map<String, String>) field.get(environment);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Evaluates one snippet after the other, until one fails. */
    static void run(String code) {
        SourceCodeAnalysis analysis = shell.sourceCodeAnalysis();
        String rest = code;
        while (!interrupted) {
            var next = analysis.analyzeCompletion(rest);
            if (next.completeness() == SourceCodeAnalysis.Completeness.EMPTY) {
                return;
            }
            if (!next.completeness().isComplete()) {
                fail("CompilationException", "the code ends too early", rest.strip() + "\n");
                return;
            }
            rest = next.remaining();
            for (SnippetEvent event : shell.eval(next.source())) {
                if (!interrupted && event.causeSnippet() == null && !take(event, rest.isBlank())) {
                    return;
                }
            }
        }
        fail("KeyboardInterrupt", "", "");
    }

    /** Says what came of a snippet, and returns whether the code may go on. */
    static boolean take(SnippetEvent event, boolean last) {
        if (event.status() == Snippet.Status.REJECTED) {
            List<String> said = new ArrayList<>();
            shell.diagnostics(event.snippet()).filter(Diag::isError).forEach(d -> said.add(d.getMessage(Locale.ROOT)));
            String text = String.join("\n", said);
            fail("CompilationException", text, text + "\n" + event.snippet().source().strip() + "\n");
            return false;
        }
        if (event.exception() != null) {
            describe(event.exception());
            return false;
        }
        boolean value = event.snippet() instanceof ExpressionSnippet
            || event.snippet().subKind() == Snippet.SubKind.TEMP_VAR_EXPRESSION_SUBKIND;
        if (last && value && event.value() != null && event.snippet().subKind() != Snippet.SubKind.ASSIGNMENT_SUBKIND) {
            outlet.emit("result", ",\"main\":true,\"data\":{\"text/plain\":" + quoted(event.value()) + "}");
        }
        return true;
    }

    static void describe(Exception e) {
        String name = e instanceof EvalException raised ? raised.getExceptionClassName() : e.getClass().getName();
        String value = e instanceof UnresolvedReferenceException missing
            ? "unresolved references in " + missing.getSnippet().source().strip() : e.getMessage();
        StringBuilder traceback = new StringBuilder(value == null ? name : name + ": " + value).append('\n');
        for (StackTraceElement frame : e.getStackTrace()) {
            if (frame.getClassName().startsWith("jdk.internal.reflect.") || frame.getClassName().startsWith("jdk.jshell.")) {
                break;
            }
            traceback.append("\tat ").append(frame).append('\n');
        }
        fail(name, value == null ? "" : value, traceback.toString());
    }

    static void fail(String name, String value, String traceback) {
        outlet.emit("error", ",\"error\":{\"name\":" + quoted(name) + ",\"value\":" + quoted(value) + ",\"traceback\":" + quoted(traceback) + "}");
    }

    static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean half = Character.isSurrogate(c);
            if (half && Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                out.append(c).append(text.charAt(++i));
            } else if (c == '"' || c == '\\' || c < ' ' || half) {
                out.append(String.format("\\u%04x", (int) (half ? '\ufffd' : c)));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    /** Writes events. What is printed between two executions belongs to the next one. */
    static class Outlet {
        final OutputStream out = new FileOutputStream("/dev/fd/3");
        final int limit;
        final int keep;
        String id;
        List<String[]> between = new ArrayList<>();
        int kept;
        int lost;

        Outlet(int limit, int keep) throws IOException {
            this.limit = limit;
            this.keep = keep;
        }

        /** Returns a stream, each write to which is an event. */
        PrintStream stream(String name) {
            OutputStream events = new OutputStream() {
                final ByteArrayOutputStream part = new ByteArrayOutputStream(); // of a character

                @Override public void write(int b) {
                    write(new byte[] {(byte) b}, 0, 1);
                }

                @Override public synchronized void write(byte[] bytes, int from, int size) {
                    part.write(bytes, from, size);
                    byte[] all = part.toByteArray();
                    int whole = wholeCharacters(all);
                    part.reset();
                    part.write(all, whole, all.length - whole);
                    if (whole > 0) {
                        print(name, new String(all, 0, whole, StandardCharsets.UTF_8));
                    }
                }
            };
            // A subclass prints a text and the end of its line one after the other, as E2B's clients know it.
            return new PrintStream(events, true, StandardCharsets.UTF_8) {};
        }

        static int wholeCharacters(byte[] bytes) {
            for (int i = 1; i < 4 && i <= bytes.length; i++) {
                int b = bytes[bytes.length - i] & 0xff;
                if (b >= 0xc0) {
                    int size = b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : 2;
                    return size > i ? bytes.length - i : bytes.length;
                }
                if (b < 0x80) {
                    break;
                }
            }
            return bytes.length;
        }

        synchronized void print(String name, String text) {
            if (id != null) {
                emit(name, ",\"text\":" + quoted(text));
                return;
            }
            String fits = text.substring(0, Math.min(text.length(), keep - kept));
            kept += fits.length();
            lost += text.length() - fits.length();
            if (!fits.isEmpty()) {
                between.add(new String[] {name, fits});
            }
        }

        synchronized void ready(String to) {
            id = to;
            emit("ready", "");
            id = null;
        }

        synchronized void begin(String next) {
            id = next;
            emit("begun", "");
            between.forEach(said -> emit(said[0], ",\"text\":" + quoted(said[1])));
            if (lost > 0) {
                emit("dropped", ",\"bytes\":" + lost);
            }
            between = new ArrayList<>();
            kept = lost = 0;
        }

        synchronized void end() {
            emit("end", "");
            id = null;
        }

        synchronized void emit(String type, String fields) {
            byte[] line = line(type, fields);
            if (line.length > limit) {
                line = line("dropped", ",\"bytes\":" + line.length);
            }
            try {
                out.write(line);
            } catch (IOException e) {
                Runtime.getRuntime().halt(1); // nobody listens
            }
        }

        byte[] line(String type, String fields) {
            return ("{\"id\":\"" + id + "\",\"type\":\"" + type + "\"" + fields + "}\n").getBytes(StandardCharsets.UTF_8);
        }
    }
}
