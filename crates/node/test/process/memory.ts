/** Runs `RUNS` runs and prints how many bytes of memory the process has kept since the first tenth of them. */
import { approval, approve, createRunner } from 'intermission'

const RUNS = Number(process.argv[2])
const runner = createRunner({ hostFunctions: { echo: async (x: unknown) => x, mail: approval((to: string) => to) } })

async function some(runs: number): Promise<void> {
  for (let n = 0; n < runs; n++) {
    if (n % 10 === 0) {
      const put = await runner.run("return await mail('ann')")
      if (put.status === 'interrupted') await runner.resume(put.continuation, { resolutions: [approve(put.interruptions[0]?.id ?? '')] })
    } else if (n % 10 === 1) await runner.run('return await echo({ n: 1 })')
    else await runner.run('return 1 + 1')
  }
}

const settled = async (): Promise<number> => {
  for (let turn = 0; turn < 5; turn++) {
    globalThis.gc?.()
    await new Promise(setImmediate)
  }
  return process.memoryUsage().rss
}

await some(RUNS / 10)
const before = await settled()
await some((RUNS / 10) * 9)
console.log((await settled()) - before)
