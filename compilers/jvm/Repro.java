import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.ToLongFunction;

// Makes the calls that a class lists, that of repro.class.hex or of the file that is named,
// and prints what they come to, a line each: java Repro.java. The exit
// status is 1 if that is not what the class says. With the names of two pipes it does so
// for each class that a line of the first one holds in base64, and answers in the second.
// With -Dtrain=N each function is called some N times, in an order that its index decides;
// a call whose answer is not always the same is said to vary.
public final class Repro extends ClassLoader {
	private static final int RESOLVE = 0, RESET = 1, CALL = 2, STATE = 3;

	// A call is a line of the list; run says every second on standard error what the thread
	// is at that makes the calls.
	static final class Call implements Runnable {
		String name, type;
		boolean state;
		long[] request;
		int made;
		long value, sum;
		String trap, varies;
		Thread watched;

		@Override public void run() {
			try {
				for (;;) {
					Thread.sleep(1000);
					StackTraceElement[] at = watched.getStackTrace();
					boolean inside = at.length > 0 && at[0].getClassName().equals("Cases") && at[0].getMethodName().startsWith("f");
					System.err.println(inside ? "running" : "compiling");
				}
			} catch (InterruptedException e) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private ToLongFunction<long[]> define(byte[] b) throws ReflectiveOperationException {
		@SuppressWarnings("unchecked")
		ToLongFunction<long[]> f = (ToLongFunction<long[]>) defineClass(null, b, 0, b.length).getDeclaredConstructor().newInstance();
		return f;
	}

	private static String kind(Throwable e) {
		if (e instanceof ArithmeticException) return "divide-by-zero";
		if (e instanceof ArrayIndexOutOfBoundsException) return "out-of-bounds";
		if (e instanceof NullPointerException) return "null";
		if (e instanceof NegativeArraySizeException) return "negative-length";
		if (e instanceof ClassCastException) return "class-cast";
		if (e instanceof ArrayStoreException) return "array-store";
		if (e instanceof IllegalStateException) return "unreachable";
		return e.toString().replace('\n', ' ');
	}

	private static String text(Call c, long value, String trap, long sum) {
		String s = trap != null ? "traps " + trap : c.type.equals("u64") ? Long.toUnsignedString(value)
			: c.type.equals("u32") ? Long.toString(value & 0xffffffffL) : Long.toString(value);
		return c.state ? s + " state " + (sum & 0xffffffffL) : s;
	}

	// make makes a call once more.
	private static void make(ToLongFunction<long[]> f, Call c) {
		c.request[0] = RESET;
		f.applyAsLong(c.request);
		long value = 0, sum = 0;
		String trap = null;
		c.request[0] = CALL;
		try {
			value = f.applyAsLong(c.request);
		} catch (Throwable e) {
			trap = kind(e);
		}
		if (c.state) {
			c.request[0] = STATE;
			sum = f.applyAsLong(c.request);
		}
		if (c.made++ == 0) {
			c.value = value;
			c.sum = sum;
			c.trap = trap;
		} else if (c.varies == null && (value != c.value || sum != c.sum || trap == null != (c.trap == null) || trap != null && !trap.equals(c.trap))) {
			c.varies = text(c, value, trap, sum) + " at call " + c.made;
		}
	}

	// train makes the calls of one function.
	private static void train(ToLongFunction<long[]> f, List<Call> calls, int n) {
		Call first = calls.get(0);
		switch ((int) (first.request[1] % 3)) {
		case 0: // one path, then the others once, then the first again
			for (int i = 0; i < n; i++) make(f, first);
			for (Call c : calls) make(f, c);
			for (int i = 0; i < n / 8; i++) make(f, first);
			break;
		case 1: // in turn
			for (int i = 0; i < n; i += calls.size()) for (Call c : calls) make(f, c);
			break;
		default: // the last one, the others, and all again
			for (int k = calls.size() - 1; k >= 0; k--) for (int i = 0; i < n; i++) make(f, calls.get(k));
			break;
		}
		for (Call c : calls) make(f, c);
	}

	// run makes the calls of a class and returns what they print.
	private static String run(byte[] b, OutputStream out) throws IOException {
		ToLongFunction<long[]> f;
		try {
			f = new Repro().define(b);
			f.applyAsLong(new long[] {RESOLVE, 0});
		} catch (ReflectiveOperationException | LinkageError e) {
			String s = "rejected " + e.toString().split("\n")[0] + "\n";
			out.write(s.getBytes(StandardCharsets.UTF_8));
			return s;
		}
		StringBuilder all = new StringBuilder();
		int train = Integer.getInteger("train", 0);
		List<Call> group = new ArrayList<>();
		String[] lines = list(b)[0].split("\n");
		for (int i = 0; i <= lines.length; i++) {
			Call c = null;
			if (i < lines.length && !lines[i].isEmpty()) {
				String[] w = lines[i].split(" ");
				c = new Call();
				c.name = w[0];
				c.type = w[2];
				c.state = w[3].equals("1");
				c.request = new long[w.length - 4 + 2];
				c.request[1] = Long.parseLong(w[1]);
				for (int k = 4; k < w.length; k++) c.request[k - 2] = Long.parseLong(w[k]);
			}
			if (!group.isEmpty() && (c == null || train == 0 || c.request[1] != group.get(0).request[1])) {
				if (train > 0) train(f, group, train);
				else make(f, group.get(0));
				StringBuilder s = new StringBuilder();
				for (Call g : group) {
					s.append(g.name).append(' ').append(text(g, g.value, g.trap, g.sum));
					if (g.varies != null) s.append(" varies ").append(g.varies);
					s.append('\n');
				}
				out.write(s.toString().getBytes(StandardCharsets.UTF_8)); // at once: what is in flight when it dies is known
				all.append(s);
				group.clear();
			}
			if (c != null) group.add(c);
		}
		return all.toString();
	}

	// list returns the calls and the answers that a class lists.
	private static String[] list(byte[] b) {
		int end = b.length - 4;
		int n = (b[end] & 255) << 24 | (b[end + 1] & 255) << 16 | (b[end + 2] & 255) << 8 | b[end + 3] & 255;
		String[] parts = new String(b, end - n, n, StandardCharsets.UTF_8).split("\n\n", 2);
		return new String[] {parts[0], parts.length > 1 ? parts[1] : ""};
	}

	private static String first(String path) throws IOException {
		return new String(Files.readAllBytes(Paths.get(path)), StandardCharsets.ISO_8859_1);
	}

	// ticks returns the CPU time of this process, in hundredths of a second.
	private static long ticks() throws IOException {
		String s = first("/proc/self/stat");
		String[] w = s.substring(s.lastIndexOf(')') + 2).split(" ");
		return Long.parseLong(w[11]) + Long.parseLong(w[12]);
	}

	private static void serve(String from, String to) throws IOException {
		try (InputStream in = new BufferedInputStream(new FileInputStream(from), 1 << 16); OutputStream out = new FileOutputStream(to)) {
			ByteArrayOutputStream line = new ByteArrayOutputStream();
			for (int c; (c = in.read()) >= 0;) {
				if (c != '\n') {
					line.write(c);
					continue;
				}
				long start = ticks();
				run(Base64.getDecoder().decode(line.toByteArray()), out);
				line.reset();
				long resident = 4096 * Long.parseLong(first("/proc/self/statm").split(" ")[1]);
				out.write(String.format("end %d 0 %d\n", 10000 * (ticks() - start), resident).getBytes(StandardCharsets.UTF_8));
			}
		}
	}

	public static void main(String[] args) throws IOException {
		if (args.length == 2) {
			serve(args[0], args[1]);
			return;
		}
		String hex = first(args.length > 0 ? args[0] : "repro.class.hex").replaceAll("\\s", "");
		byte[] b = new byte[hex.length() / 2];
		for (int i = 0; i < b.length; i++) b[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
		PrintStream out = System.out;
		Call watcher = new Call();
		watcher.watched = Thread.currentThread();
		Thread watch = new Thread(watcher);
		watch.setDaemon(true);
		watch.start();
		String printed = run(b, out);
		out.flush();
		String want = list(b)[1];
		if (!want.isEmpty() && !want.equals(printed)) System.exit(1);
	}
}
