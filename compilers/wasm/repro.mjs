// Makes the calls that the module beside it lists, repro.wasm.hex or what is named, and
// prints what they come to, a line each: node repro.mjs. The exit status is 1 if that
// is not what the module says. With the names of two pipes it does so for each module
// that a line of the first one holds in base64, and answers in the second one.
// With TRAIN=N each function is called some N times, in an order that its index
// decides; a call whose answer is not always the same is said to vary.
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';

const kinds = [
	[/by zero/i, 'divide-by-zero'],
	[/unrepresentable|integer overflow|trunc operation|invalid conversion/i, 'overflow'],
	[/out of bounds/i, 'out-of-bounds'],
	[/unreachable/i, 'unreachable'],
];

function trap(e) {
	if (e instanceof WebAssembly.RuntimeError) {
		for (const [text, kind] of kinds) if (text.test(e.message)) return kind;
	}
	return `${e.name}: ${String(e.message).split('\n')[0]}`;
}

const micros = () => { const u = process.cpuUsage(); return u.user + u.system; };

const training = Number(process.env.TRAIN ?? 0);

// make makes a call, and notes what it came to.
function make(exports, c) {
	const reset = exports[c.f + '.reset'], state = exports[c.f + '.state'];
	let text;
	try {
		if (reset) reset();
		let v = exports[c.f](...c.args);
		if (c.type === 'u64') v = BigInt.asUintN(64, v);
		if (c.type === 'u32') v = v >>> 0;
		text = `${v}`;
	} catch (e) {
		text = `traps ${trap(e)}`;
	}
	if (state) text += ` state ${state() >>> 0}`;
	if (c.made++ === 0) c.text = text;
	else if (!c.varies && text !== c.text) c.varies = `${text} at call ${c.made}`;
}

// train makes the calls of one function.
function train(exports, calls, index) {
	const first = calls[0], again = (c, n) => { for (let i = 0; i < n; i++) make(exports, c); };
	switch (index % 3) {
	case 0: // one path, then the others once, then the first again
		again(first, training);
		for (const c of calls) make(exports, c);
		again(first, training / 8);
		break;
	case 1: // in turn
		for (let i = 0; i < training; i += calls.length) for (const c of calls) make(exports, c);
		break;
	default: // the last one, the others, and all again
		for (const c of [...calls].reverse()) again(c, training);
	}
	for (const c of calls) make(exports, c);
}

function run(bytes, say, compiled) {
	let module, exports;
	const start = micros();
	try {
		module = new WebAssembly.Module(bytes);
		exports = new WebAssembly.Instance(module, {}).exports;
	} catch (e) {
		say(`rejected ${String(e.message).split('\n')[0]}\n`);
		return [micros() - start, 0];
	}
	compiled();
	const ready = micros();
	const [section] = WebAssembly.Module.customSections(module, 'calls');
	const groups = [];
	for (const line of new TextDecoder().decode(section).split('\n')) {
		if (line === '') continue;
		const [name, f, type, ...args] = line.split(' ');
		const c = { name, f, type, args: args.map(a => a.endsWith('n') ? BigInt(a.slice(0, -1)) : Number(a)), made: 0 };
		if (training > 0 && groups.length > 0 && groups[groups.length - 1][0].f === f) groups[groups.length - 1].push(c);
		else groups.push([c]);
	}
	groups.forEach((group, index) => {
		if (training > 0) train(exports, group, index);
		else make(exports, group[0]);
		for (const c of group) say(`${c.name} ${c.text}${c.varies ? ` varies ${c.varies}` : ''}\n`);
	});
	return [ready - start, micros() - ready];
}

function serve(from, to) {
	const requests = openSync(from, 'r'), replies = openSync(to, 'w');
	const write = text => { for (let b = Buffer.from(text); b.length > 0;) b = b.subarray(writeSync(replies, b)); };
	const chunk = Buffer.alloc(1 << 16);
	let rest = [];
	for (;;) {
		const n = readSync(requests, chunk);
		if (n === 0) return;
		let start = 0;
		for (let end; (end = chunk.subarray(0, n).indexOf(10, start)) >= 0; start = end + 1) {
			const line = Buffer.concat([...rest, chunk.subarray(start, end)]).toString('latin1');
			rest = [];
			const [compile, call] = run(Buffer.from(line, 'base64'), write, () => {});
			write(`end ${compile} ${call} ${process.memoryUsage.rss()}\n`);
		}
		rest.push(Buffer.from(chunk.subarray(start, n)));
	}
}

const [from = new URL('repro.wasm.hex', import.meta.url), to] = process.argv.slice(2);
if (to) {
	serve(from, to);
} else {
	const file = readFileSync(from); // a module, or the hex of one
	const bytes = file[0] === 0 ? file : Buffer.from(file.toString('latin1').replace(/\s/g, ''), 'hex');
	let printed = '';
	const [compile, call] = run(bytes, text => { writeSync(1, text); printed += text; }, () => writeSync(2, 'compiled\n'));
	writeSync(2, `end ${compile} ${call} 0\n`);
	let want = [];
	try { want = WebAssembly.Module.customSections(new WebAssembly.Module(bytes), 'answers'); } catch {}
	if (want.length > 0 && new TextDecoder().decode(want[0]) !== printed) process.exitCode = 1;
}
