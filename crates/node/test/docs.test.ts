import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const ROOM = fileURLToPath(new URL('../', import.meta.url))
const REPOSITORY = join(ROOM, '../..')
const TSC = join(ROOM, 'node_modules', 'typescript', 'bin', 'tsc')

/** Within the package, so that `intermission` is this very package. */
function folder(t: { after(fn: () => void): void }): string {
  const made = mkdtempSync(join(ROOM, 'build', 'docs-'))
  t.after(() => rmSync(made, { recursive: true }))
  return made
}

/** The TypeScript of a page that uses the package: other pieces are scripts. */
function examples(page: string): string[] {
  const text = readFileSync(join(REPOSITORY, page), 'utf8')
  const codes = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? '')
  return codes.filter((code) => code.includes("from 'intermission"))
}

for (const page of ['README.md', 'crates/node/README.md', 'docs/node.md', 'docs/sandbox-compat.md']) {
  test(`the examples of ${page} are of the right types, and do what their comments say`, async (t) => {
    const made = folder(t)
    const codes = examples(page)
    assert.ok(codes.length > 0)
    codes.forEach((code, at) => writeFileSync(join(made, `example${at}.ts`), `${code}\nexport {}\n`))
    writeFileSync(join(made, 'tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.json', compilerOptions: { rootDir: '.', outDir: 'out', declaration: false, noUnusedLocals: false }, include: ['*.ts'] }))
    execFileSync(process.execPath, [TSC, '-p', made], { stdio: 'inherit' })
    for (const [at, code] of codes.entries()) {
      const { stdout } = await promisify(execFile)(process.execPath, [join(made, 'out', `example${at}.js`)], { cwd: made })
      // `console.log(...) // what it prints`
      const expected = [...code.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(([, line]) => line)
      assert.deepEqual(stdout.trimEnd().split('\n').filter((line) => line !== ''), expected, `example ${at}`)
    }
  })
}

test('the example over HTTP asks, and goes on with the answer', async (t) => {
  const made = folder(t)
  // Without the example's own package, which would hide this one.
  for (const file of ['server.mjs', 'client.mjs']) cpSync(join(REPOSITORY, 'examples/node', file), join(made, file))
  const { server } = (await import(pathToFileURL(join(made, 'server.mjs')).href)) as { server: import('node:http').Server }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { stdout } = await promisify(execFile)(process.execPath, [join(made, 'client.mjs'), base])
  assert.equal(stdout, 'it asks: [{"pay":[{"id":"may","amount":120}]}]\nit says: paid 120\n')
  const denied = (await (await fetch(`${base}/answers`, { method: 'POST', body: '{"token":"imt1_x","id":"int_aaaaaaaaaaaaaaaaaaaaaaaaaa"}' })).json()) as { code: string }
  assert.match(denied.code, /^TOKEN_/)
})

test('the example of an approval in the middle of a script goes on with the answer, and notices another script', async (t) => {
  const made = folder(t)
  cpSync(join(REPOSITORY, 'examples/node/approval-in-a-script.mjs'), join(made, 'example.mjs'))
  const { stdout } = await promisify(execFile)(process.execPath, [join(made, 'example.mjs')])
  assert.equal(stdout, 'adding 1 and 1\nasking a human \n{ sum: 2, ok: true }\nnot the same script, in slot 0\n')
})

test('the example of code mode asks, and goes on in another process, where it is installed', async (t) => {
  const example = join(REPOSITORY, 'examples/node/code-mode')
  if (!existsSync(join(example, 'node_modules'))) return t.skip('examples/node/code-mode/README.md tells how to install it')
  const env = { ...process.env, REFUND_FILE: join(folder(t), 'refund.json') }
  const say = async (...args: string[]): Promise<string> => (await promisify(execFile)(process.execPath, [join(example, 'refund.mjs'), ...args], { env })).stdout
  const question = 'looking up the orders of ann\nasking: refund({"id":"o-1","amount":30})\n'
  assert.deepEqual([await say(), await say('yes')], [question, 'paying back 30 for o-1\nThe script says: ["paid back 30"]\n'])
  assert.deepEqual([await say(), await say('no')], [question, 'The script says: "Tool \\"refund\\" approval was denied."\n'])
})

test('the package can be required, too, where Node can do that', (t) => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 22 || (major === 22 && minor < 12)) return t.skip('require(esm) is not there')
  const { run } = createRequire(import.meta.url)('intermission') as { run: unknown }
  assert.equal(typeof run, 'function')
})
