// npm `run` and `intermission/run` side by side, in one process, in turns:
//   node --expose-gc bench/run.mjs [where the npm package is; default: `run`]
// A line a workload: medians in milliseconds, how many times as fast, and what is wanted. Then memory, and the event loop's delay.
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

const named = process.argv[2] ?? 'run'
const subjects = {
  npm: await import(named.startsWith('/') ? `file://${named}` : named),
  ours: await import('../dist/run/index.js'),
}

const rows = Array.from({ length: 9_000 }, (_, id) => ({ id, name: `customer ${id}`, mail: `c${id}@example.com`, total: id * 1.5, active: id % 3 === 0 }))

const workloads = [
  { name: 'trivial', rounds: 10, wanted: 40, source: 'return 1 + 1' },
  { name: 'one call', rounds: 10, wanted: 40, source: 'return await tools.echo(1)' },
  { name: '200 calls', rounds: 8, wanted: 20, source: 'for (let i = 0; i < 200; i++) await tools.echo({ id: i }); return 1' },
  { name: '9000 rows', rounds: 1, wanted: 10, source: 'const rows = await tools.rows(); return await tools.count(rows)' },
  { name: 'ask and resume', rounds: 4, wanted: 40, source: 'return await tools.ask("go on?")' },
]

const limits = { maxHostFunctionArgumentsBytes: 16 << 20, maxHostFunctionOutputBytes: 16 << 20, timeoutMs: 60_000 }

function workload({ createRunner, getHostFunctionContext }, { name, source }) {
  const runner = createRunner({ continuationSecret: 'a secret for a bench, long enough: 32', limits })
  const hostFunctions = {
    tools: {
      echo: (value) => value,
      rows: () => rows,
      count: (all) => all.length,
      ask: (question) => {
        const { interrupt, resume } = getHostFunctionContext()
        return resume === undefined ? interrupt(question) : resume.resolution
      },
    },
  }
  return async () => {
    const result = await runner.run({ source, hostFunctions })
    if (name !== 'ask and resume') return
    const { continuation, interruptions: [{ id: interruptionId }] } = result
    await runner.run({ source, hostFunctions, continuation, resolutions: [{ interruptionId, value: true }] })
  }
}

/** So many runs of one, then of the other: the threads of npm `run` are at work for a while after it has given its result. */
const BLOCK = 10
/** So long each is run before it is measured. */
const WARM_UP_MS = 1_000

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]

console.log('workload         npm ms    ours ms   times  wanted')
for (const each of workloads) {
  const run = { npm: workload(subjects.npm, each), ours: workload(subjects.ours, each) }
  const times = { npm: [], ours: [] }
  for (const who of ['npm', 'ours']) {
    for (const began = performance.now(); performance.now() - began < WARM_UP_MS;) await run[who]()
  }
  for (let round = 0; round < each.rounds; round += 1) {
    for (const who of ['npm', 'ours']) {
      for (let i = 0; i < BLOCK; i += 1) {
        const began = performance.now()
        await run[who]()
        times[who].push(performance.now() - began)
      }
    }
  }
  const [npm, ours] = [median(times.npm), median(times.ours)]
  console.log(`${each.name.padEnd(15)} ${npm.toFixed(2).padStart(8)} ${ours.toFixed(4).padStart(10)} ${(npm / ours).toFixed(1).padStart(7)} ${String(each.wanted).padStart(7)}`)
}

// Ours alone: what a hundred runs cost that wait in a host call.
const { createRunner, setMaxWorkers } = subjects.ours
setMaxWorkers(2_000)
// Every mapping of the image counts in the resident set, though its pages are shared; what is this process's own is less (Linux alone tells).
const own = () => {
  try {
    return 1024 * Number(/^Private_Dirty:\s+(\d+)/m.exec(readFileSync('/proc/self/smaps_rollup', 'utf8'))[1])
  } catch {
    return NaN
  }
}
const waiting = async (count) => {
  globalThis.gc?.()
  let goOn
  const gate = new Promise((resolve) => { goOn = resolve })
  let there = 0
  const runner = createRunner()
  const all = Array.from({ length: count }, () => runner.run({
    source: 'const kept = Array.from({ length: 100 }, (_, i) => ({ i })); return [await tools.stay(), kept.length]',
    hostFunctions: { tools: { stay: () => { there += 1; return gate } } },
  }))
  while (there < count) await wait(5)
  // Whoever waits for so long gives back what it shares with others.
  await wait(200)
  const memory = { rss: process.memoryUsage.rss(), own: own() }
  goOn()
  await Promise.all(all)
  return memory
}
await waiting(1)
const one = await waiting(1)
const hundred = await waiting(100)
const more = (what) => ((hundred[what] - one[what]) / 2 ** 20).toFixed(1)
console.log(`100 waiting runs: resident ${more('rss')} MB more than one (wanted: under 60), of its own ${more('own')} MB`)

const delay = async (work) => {
  const histogram = monitorEventLoopDelay({ resolution: 1 })
  histogram.enable()
  await work()
  histogram.disable()
  return histogram.percentile(99.9) / 1e6
}
const loop = 'let n = 0; for (let i = 0; i < 3e7; i++) n += i; return n'
const idle = await delay(() => wait(2_000))
const busy = await delay(() => Promise.all(Array.from({ length: 10 }, () => createRunner().run({ source: loop, limits }))))
console.log(`event-loop delay, p99.9: idle ${idle.toFixed(1)} ms, ten computing runs ${busy.toFixed(1)} ms (wanted: at most 20 more)`)
process.exit(0)
