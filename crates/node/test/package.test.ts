import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOM = fileURLToPath(new URL('../', import.meta.url))

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

test('the packed package installs into an empty project, runs there, and has types', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'intermission-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const packed = JSON.parse(npm(ROOM, 'pack', '--json', '--pack-destination', folder)) as { filename: string; files: { path: string }[] }[]
  const [{ filename, files }] = packed as [(typeof packed)[0]]
  const paths = files.map(({ path }) => path)
  const binaries = readdirSync(join(ROOM, 'prebuilds')).map((platform) => `prebuilds/${platform}/intermission.node`)
  for (const path of ['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts', ...binaries]) {
    assert.ok(paths.includes(path), `${path} is packed`)
  }
  assert.deepEqual(paths.filter((path) => !/^(dist|prebuilds)\/|^(LICENSE|README\.md|package\.json)$/.test(path)), [])

  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  npm(project, 'install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', join(folder, filename))
  assert.ok(existsSync(join(project, 'node_modules', 'intermission')))
  const source = `import { createRunner, unwrap } from 'intermission'
import { type CallLogEntry, createSandbox, defineAction, z } from 'intermission/sandbox'

const runner = createRunner({ hostFunctions: { add: (a: number, b: number) => a + b } })
const value: number = unwrap(await runner.run<number>('return await add(40, 2)'))
console.log(value)

const add = defineAction({ id: 'add', name: 'Add', input: z.object({ a: z.number(), b: z.number() }), output: z.number(), execute: ({ input }) => input.a + input.b })
const { callLog } = await createSandbox({ actions: [add] }).eval({ script: 'await add({ a: 2, b: 3 })' })
const [entry = null]: (CallLogEntry | null)[] = callLog
if (entry?.kind === 'action') console.log(entry.output)
`
  writeFileSync(join(project, 'index.ts'), source)
  const tsc = join(ROOM, 'node_modules', 'typescript', 'bin', 'tsc')
  const types = join(ROOM, 'node_modules', '@types')
  execFileSync(process.execPath, [tsc, '--strict', '--module', 'nodenext', '--target', 'es2023', '--typeRoots', types, '--types', 'node', 'index.ts'], { cwd: project, stdio: 'inherit' })
  assert.equal(execFileSync(process.execPath, ['index.js'], { cwd: project, encoding: 'utf8' }), '42\n5\n')
})
