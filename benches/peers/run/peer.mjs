// npm `run`, speaking the protocol of docs/benchmarks.md.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createRunner, getHostFunctionContext, setMaxWorkers } from 'run';

// Its own defaults refuse some of the workloads.
const MEBIBYTE = 2 ** 20;
const limits = {
  timeoutMs: 120_000,
  memoryLimitBytes: 64 * MEBIBYTE,
  maxBridgeRequests: 10_000,
  maxInFlightBridgeRequests: 256,
  maxHostFunctionArgumentsBytes: 8 * MEBIBYTE,
  maxHostFunctionOutputBytes: 8 * MEBIBYTE,
  maxResultBytes: 8 * MEBIBYTE,
};

/** Where `tools.block` waits. */
class Gate {
  #arrived = 0;
  #full = () => {};
  #open;
  #opened = new Promise((resolve) => {
    this.#open = resolve;
  });

  async pass() {
    this.#arrived += 1;
    this.#full(this.#arrived);
    await this.#opened;
  }

  full(calls) {
    return new Promise((resolve) => {
      this.#full = (arrived) => arrived >= calls && resolve();
      this.#full(this.#arrived);
    });
  }

  open() {
    this.#open();
  }
}

const gate = new Gate();

const tools = {
  echo: (value) => value,
  row: (id) => ({
    id,
    name: `user-${id}`,
    email: `user${id}@example.com`,
    active: id % 2 === 0,
    score: id / 7,
    city: 'Springfield',
  }),
  blob(seed) {
    const next = (state) => BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    let state = next(BigInt(seed));
    let digits = '';
    while (digits.length < 4096) {
      state = next(state);
      digits += state.toString(16).padStart(16, '0');
    }
    return digits;
  },
  block: () => gate.pass(),
};

const approve = {
  ask() {
    const context = getHostFunctionContext();
    if (context.resume === undefined) context.interrupt('go');
    return context.resume.resolution;
  },
};

process.env.RUN_CONTINUATION_SECRET ??= 'a secret for benchmarks, and for nothing else';
const hostFunctions = { tools, approve };
const runner = createRunner({ limits });

async function run(source) {
  const result = await runner.run({ source, hostFunctions });
  if (result.status !== 'completed') throw new Error(`the run ended as ${result.status}`);
  return result.value;
}

function kibibytes(file, names) {
  const lines = readFileSync(`/proc/self/${file}`, 'utf8').split('\n');
  const fields = lines.filter((line) => names.includes(line.split(':')[0]));
  return fields.reduce((sum, line) => sum + Number(line.split(/\s+/)[1]), 0);
}
const resident = () => kibibytes('status', ['VmRSS']);
const peak = () => kibibytes('status', ['VmHWM']);
const physical = () => kibibytes('smaps_rollup', ['Pss']);

const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

async function bench({ w, n }) {
  const samples = [];
  let value;
  for (let i = 0; i < n; i++) {
    const began = performance.now();
    value = await run(workloads[w].js);
    samples.push(performance.now() - began);
  }
  return { samples_ms: samples, value };
}

async function pause({ w, n }) {
  const { js: source, resumes } = workloads[w];
  const samples = [];
  const last = [];
  let bytes;
  let value;
  for (let i = 0; i < n; i++) {
    let began = performance.now();
    let result = await runner.run({ source, hostFunctions });
    samples.push(performance.now() - began);
    for (let round = 1; round <= resumes; round++) {
      bytes = result.continuation.length;
      const resolutions = result.interruptions.map(({ id }) => ({ interruptionId: id, value: true }));
      began = performance.now();
      result = await runner.run({ source, hostFunctions, continuation: result.continuation, resolutions });
      if (round === resumes) last.push(performance.now() - began);
    }
    value = result.value;
  }
  return { samples_ms: samples, resume_ms: last, bytes, value };
}

async function throughput({ conc, secs }) {
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1000;
  let runs = 0;
  const one = async () => {
    while (elapsed() < secs) {
      await run('return 1+1');
      runs += 1;
    }
  };
  await Promise.all(Array.from({ length: conc }, one));
  return { runs, secs: elapsed() };
}

async function hold(runs) {
  // A run that waits keeps its worker thread.
  setMaxWorkers(runs + 1);
  await run('return 1+1');
  const idle = { idle_kb: resident(), idle_physical_kb: physical() };
  const held = Array.from({ length: runs }, () => run(workloads.RSS.js));
  await gate.full(runs);
  const answer = {
    n: runs,
    ...idle,
    inflight_kb: resident(),
    hwm_inflight_kb: peak(),
    inflight_physical_kb: physical(),
  };
  gate.open();
  await Promise.all(held);
  return answer;
}

async function serve() {
  setMaxWorkers(16);
  say({ ready: true });
  for await (const line of createInterface({ input: process.stdin })) {
    const command = JSON.parse(line);
    if (command.cmd === 'quit') return;
    try {
      if (command.cmd === 'bench') say(await bench(command));
      else if (command.cmd === 'pause') say(await pause(command));
      else if (command.cmd === 'throughput') say(await throughput(command));
      else if (command.cmd === 'rss') say({ rss_kb: resident(), hwm_kb: peak() });
      else say({ error: `there is no command \`${command.cmd}\` here` });
    } catch (error) {
      say({ error: String(error) });
    }
  }
}

const workloads = process.env.BENCH_WORKLOADS ? JSON.parse(readFileSync(process.env.BENCH_WORKLOADS, 'utf8')) : {};
const [mode, count] = process.argv.slice(2);
if (mode === '--cold') say(await run('return 1+1'));
else if (mode === '--rss') say(await hold(Number(count)));
else await serve();
process.exit(0);
