import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.ToLongFunction;

// Makes the calls that a class lists, that of repro.class.hex or of the file, a class or the hex
// of one, that is named,
// and prints what they come to, a line each: java Repro.java. The exit
// status is 1 if that is not what the class says. With the names of two pipes it does so
// for each class that a line of the first one holds in base64, and answers in the second.
// With -Dtrain=N each function is called some N times, in an order that its index decides;
// a call whose answer is not always the same is said to vary.
public final class Repro extends ClassLoader {
	private static final int RESOLVE = 0, RESET = 1, CALL = 2, STATE = 3;

	// A call is a line of the list; run says every second on standard error what the thread
	// is at that makes the calls. One that has hardly used its processor waits for a compiler.
	static final class Call implements Runnable {
		String name, type;
		boolean state;
		long[] request;
		int made;
		long value, sum;
		String trap, varies;
		Thread watched;

		// read reads a line, and returns where the next one begins.
		int read(byte[] b, int at) {
			int from = at;
			while (b[at] != ' ') at++;
			name = new String(b, from, at++ - from, StandardCharsets.ISO_8859_1);
			long[] numbers = new long[40];
			int n = 0;
			for (; b[at - 1] != '\n'; at++) {
				if (b[at] >= 'a') { // the type of the result
					from = at;
					while (b[at] != ' ') at++;
					type = new String(b, from, at - from, StandardCharsets.ISO_8859_1);
					continue;
				}
				boolean negative = b[at] == '-';
				if (negative) at++;
				long v = 0;
				for (; b[at] >= '0'; at++) v = 10 * v + (b[at] - '0');
				if (n == numbers.length) numbers = Arrays.copyOf(numbers, 2 * n);
				numbers[n++] = negative ? -v : v;
			}
			state = numbers[1] == 1;
			request = new long[n];
			request[1] = numbers[0];
			for (int i = 2; i < n; i++) request[i] = numbers[i];
			return at;
		}

		@Override public void run() {
			try {
				Thread.sleep(500);
				ThreadMXBean threads = ManagementFactory.getThreadMXBean();
				for (long before = threads.getThreadCpuTime(watched.getId()), now; ; before = now) {
					Thread.sleep(1000);
					now = threads.getThreadCpuTime(watched.getId());
					boolean inside = false; // or in a method that a function calls
					for (StackTraceElement e : watched.getStackTrace()) inside |= e.getClassName().equals("Cases") && e.getMethodName().startsWith("f");
					System.err.println(inside && now - before > 20_000_000 ? "running" : "compiling");
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
		} catch (VirtualMachineError e) {
			throw e; // there is no memory or no stack left, which is no answer
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
	private static byte[] run(byte[] b, OutputStream out) throws IOException {
		ToLongFunction<long[]> f;
		try {
			f = new Repro().define(b);
			f.applyAsLong(new long[] {RESOLVE, 0});
		} catch (ReflectiveOperationException | LinkageError e) {
			byte[] text = ("rejected " + e.toString().split("\n")[0] + "\n").getBytes(StandardCharsets.UTF_8);
			out.write(text);
			return text;
		}
		ByteArrayOutputStream all = new ByteArrayOutputStream();
		int train = Integer.getInteger("train", 0);
		List<Call> group = new ArrayList<>();
		int at = start(b);
		for (boolean more = true; more;) {
			Call c = null;
			if (more = b[at] != '\n') {
				c = new Call();
				at = c.read(b, at);
			}
			if (!group.isEmpty() && (c == null || train == 0 || c.request[1] != group.get(0).request[1])) {
				if (train > 0) train(f, group, train);
				else make(f, group.get(0));
				for (Call g : group) {
					String s = g.name + ' ' + text(g, g.value, g.trap, g.sum) + (g.varies == null ? "\n" : " varies " + g.varies + '\n');
					all.write(s.getBytes(StandardCharsets.ISO_8859_1));
				}
				group.clear();
			}
			if (c != null) group.add(c);
		}
		all.writeTo(out);
		return all.toByteArray();
	}

	// start returns where the calls begin that a class lists; its last bytes say so.
	private static int start(byte[] b) {
		int end = b.length - 4;
		return end - ((b[end] & 255) << 24 | (b[end + 1] & 255) << 16 | (b[end + 2] & 255) << 8 | b[end + 3] & 255);
	}

	// want returns the answers that a class lists, behind the calls and an empty line.
	private static byte[] want(byte[] b) {
		int at = start(b);
		while (b[at] != '\n') while (b[at++] != '\n') {}
		return Arrays.copyOfRange(b, at + 1, b.length - 4);
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
		try (InputStream in = new FileInputStream(from); OutputStream out = new FileOutputStream(to)) {
			byte[] line = new byte[1 << 20];
			int n = 0;
			for (int k; (k = in.read(line, n, line.length - n)) > 0;) {
				n += k;
				if (n == line.length) line = Arrays.copyOf(line, 2 * n);
				if (line[n - 1] != '\n') continue; // nothing comes behind it before we have answered
				long start = ticks();
				run(Base64.getDecoder().decode(Arrays.copyOf(line, n - 1)), out);
				n = 0;
				long resident = 4096 * Long.parseLong(first("/proc/self/statm").split(" ")[1]);
				out.write(("end " + 10000 * (ticks() - start) + " 0 " + resident + "\n").getBytes(StandardCharsets.ISO_8859_1));
			}
		}
	}

	public static void main(String[] args) throws IOException {
		if (args.length == 2) {
			serve(args[0], args[1]);
			return;
		}
		String file = first(args.length > 0 ? args[0] : "repro.class.hex");
		byte[] b = file.getBytes(StandardCharsets.ISO_8859_1);
		if (b[0] != (byte) 0xca) { // of a class
			String hex = file.replaceAll("\\s", "");
			b = new byte[hex.length() / 2];
			for (int i = 0; i < b.length; i++) b[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
		}
		PrintStream out = System.out;
		Call watcher = new Call();
		watcher.watched = Thread.currentThread();
		Thread watch = new Thread(watcher);
		watch.setDaemon(true);
		watch.start();
		byte[] printed = run(b, out), want = want(b);
		out.flush();
		if (want.length > 0 && !Arrays.equals(want, printed)) System.exit(1);
	}
}
