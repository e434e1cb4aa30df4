// Modules.
import assert from 'node:assert/strict'
import type { RunModuleLoader } from '../../dist/run/index.js'
import { published } from './behaviour.ts'
import { answers, ask, codeOf, deferred, hanging, interruptedOf, plainRunner, rejection, signedRunner, valueOf } from './helpers.ts'
import { createRunner, RunTimeoutError } from './subject.ts'

const files = (all: Record<string, string>, log: string[] = []): RunModuleLoader => ({
  identity: 'files',
  normalize: (specifier) => {
    log.push(`normalize ${specifier}`)
    return specifier.replace(/^\.\//, '')
  },
  load: (name) => {
    log.push(`load ${name}`)
    const text = all[name]
    if (text === undefined) throw new Error(`no such file: ${name}`)
    return text
  },
})

const collect = () => {
  const told: unknown[] = []
  return {
    told,
    hostFunctions: {
      tools: {
        tell: (what: unknown) => {
          told.push(what)
        },
      },
    },
  }
}

published('a function body imports dynamically', async () => {
  const value = valueOf(
    await plainRunner().run({
      source: 'const { value } = await import("./value.js"); return value;',
      sourceType: 'function-body',
      moduleLoader: files({ 'value.js': 'export const value = 42;' }),
    }),
  )
  assert.equal(value, 42)
})

published('a module needs no loader, and has no value', async () => {
  const { told, hostFunctions } = collect()
  const result = await plainRunner().run({ source: 'export const x = 1; await tools.tell(x);', sourceType: 'module', hostFunctions })
  assert.deepEqual(result, { status: 'completed', value: undefined })
  assert.deepEqual(told, [1])
})

published('static, aliased, cyclic, dynamic and typed modules work', async () => {
  const { told, hostFunctions } = collect()
  const log: string[] = []
  await plainRunner().run({
    source: `import { a } from './a.js'; import { a as again } from 'a.js';
      const { typed } = await import('./typed.ts');
      await tools.tell([a(), a === again, typed(2)]);`,
    hostFunctions,
    moduleLoader: files(
      {
        'a.js': 'import { b } from "./b.js"; export const a = () => "a" + b(); export const name = () => "cycle";',
        'b.js': 'import { name } from "./a.js"; export const b = () => "b" + name();',
        'typed.ts': 'export const typed = (n: number): number => n * 2;',
      },
      log,
    ),
  })
  assert.deepEqual(told, [['abcycle', true, 4]])
  assert.deepEqual(log.filter((line) => line.startsWith('load')).sort(), ['load a.js', 'load b.js', 'load typed.ts'])
})

published('a replay does not ask the loader, and a loader of another identity is refused', async () => {
  const { told, hostFunctions } = collect()
  const log: string[] = []
  const input = {
    source: 'import { x } from "./x.js"; const answer = await tools.ask(); await tools.tell([x, answer]);',
    hostFunctions: { tools: { ...hostFunctions.tools, ask } },
    moduleLoader: files({ 'x.js': 'export const x = 1;' }, log),
  }
  const runner = signedRunner()
  const first = interruptedOf(await runner.run(input))
  assert.deepEqual(log, ['normalize ./x.js', 'load x.js'])
  const going = { ...input, continuation: first.continuation, resolutions: answers(first, () => 'yes') }
  assert.equal(await codeOf(runner.run({ ...going, moduleLoader: { ...input.moduleLoader, identity: 'other' } })), 'RUN_PROTOCOL_ERROR')
  await runner.run(going)
  assert.deepEqual(told, [[1, 'yes']])
  assert.equal(log.length, 2)
})

published('a run whose loader has no identity cannot be put away', async () => {
  const { identity: _, ...nameless } = files({})
  const error = await rejection(signedRunner().run({ source: 'await tools.ask();', hostFunctions: { tools: { ask } }, moduleLoader: nameless }))
  assert.ok(error instanceof TypeError || error.code === 'RUN_PROTOCOL_ERROR')
  assert.match(error.message, /identity/)
})

published('a sourceType that is not the default one is bound', async () => {
  const runner = signedRunner()
  const input = { source: 'const answer = await tools.ask();', sourceType: 'module' as const, hostFunctions: { tools: { ask } } }
  const first = interruptedOf(await runner.run(input))
  const going = { ...input, continuation: first.continuation, resolutions: answers(first) }
  assert.equal(await codeOf(runner.run({ ...going, sourceType: 'function-body' })), 'RUN_PROTOCOL_ERROR')
  assert.equal((await runner.run(going)).status, 'completed')
})

published('what a loader throws is not told to the script', async () => {
  const value: any = valueOf(
    await plainRunner().run({
      source: 'try { await import("./secret.js"); } catch (error) { return [error.message, error.code]; }',
      sourceType: 'function-body',
      moduleLoader: {
        load: () => {
          throw new Error('/home/ada/secret.js is not there')
        },
      },
    }),
  )
  assert.equal(value[0], 'Host bridge request failed.')
})

published('a normalizer that gives no text is refused, and nothing is loaded', async () => {
  let loaded = 0
  const value = valueOf(
    await plainRunner().run({
      source: 'try { await import("./x.js"); } catch { return "refused"; }',
      sourceType: 'function-body',
      moduleLoader: {
        normalize: () => 5 as any,
        load: () => {
          loaded += 1
          return ''
        },
      },
    }),
  )
  assert.equal(value, 'refused')
  assert.equal(loaded, 0)
})

published('a specifier that is too long is refused before the loader sees it, and the next import is good', async () => {
  const log: string[] = []
  const value = valueOf(
    await plainRunner().run({
      source: `let refused = 'loaded';
      try { await import('x'.repeat(5_000)); } catch { refused = 'refused'; }
      return [refused, (await import('x.js')).x];`,
      sourceType: 'function-body',
      moduleLoader: files({ 'x.js': 'export const x = 1;' }, log),
    }),
  )
  assert.deepEqual(value, ['refused', 1])
  assert.deepEqual(log, ['normalize x.js', 'load x.js'])
})

published('a module that is imported and not used is evaluated', async () => {
  const { told, hostFunctions } = collect()
  await plainRunner().run({
    source: 'import { unused } from "./effect.js"; await tools.tell(globalThis.happened);',
    hostFunctions,
    moduleLoader: files({ 'effect.js': 'globalThis.happened = "yes"; export const unused = 1;' }),
  })
  assert.deepEqual(told, ['yes'])
})

published('the text of a module has the limits of an output and of a source', async () => {
  const load = (text: string, limits: object) =>
    codeOf(
      plainRunner().run({
        source: 'try { await import("x.js"); } catch {} return 1;',
        sourceType: 'function-body',
        moduleLoader: { load: () => text },
        limits,
      }),
    )
  assert.equal(await load(`//${'"'.repeat(600)}`, { maxHostFunctionOutputBytes: 1_000 }), 'RUN_SERIALIZATION_ERROR')
  assert.equal(await load(`//${'x'.repeat(2_000)}`, { maxSourceBytes: 1_000 }), 'RUN_SOURCE_TOO_LARGE')
})

published('a loader that hangs is told of the end of time', async () => {
  const seen = deferred<unknown>()
  const error = await rejection(
    createRunner().run({
      source: 'import "./x.js";',
      moduleLoader: {
        load: hanging(seen.resolve),
      },
      limits: { timeoutMs: 300 },
    }),
  )
  assert.ok(error instanceof RunTimeoutError)
  assert.ok((await seen.promise) instanceof RunTimeoutError)
})
