// Adds a protocol of tools, a provider of models and a place for memory, and shows that plans, gates, personal data,
// the audit log, the manifest and negotiation treat them like what is built in.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { type PlanOptions, parseAgentDefinition, planRun, registriesOf, run } from 'waybill'

// A model on loopback with scripted answers. `shown` lists the requests that it received.
const shown: { key: string | undefined; text: string }[] = []
const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  shown.push({ key: request.headers['x-parrot-key'] as string | undefined, text })
  const { messages } = JSON.parse(text) as { messages: { role: string; result?: { pieces: number }[] }[] }
  const last = messages.at(-1)
  const select = 'SELECT sum(pieces) AS pieces FROM stock'
  response.end(
    JSON.stringify({
      tokens: { read: text.length, written: 10 },
      ...(last?.role === 'tool'
        ? { say: `There are ${last.result?.[0]?.pieces}.` }
        : { call: { id: `c${shown.length}`, tool: 'stock', args: { select } } }),
    }),
  )
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.once('listening', listening))
const parrotUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
process.env.PARROT_URL = parrotUrl
const { extension } = await import('./extension.ts')

// The shop: a folder with the definition and the database that it names.
const folder = mkdtempSync(join(tmpdir(), 'waybill-shop-'))
copyFileSync(new URL('clerk.yaml', import.meta.url), join(folder, 'clerk.yaml'))
const database = new DatabaseSync(join(folder, 'shop.sqlite'))
database.exec(
  `CREATE TABLE stock (what TEXT, pieces INTEGER); INSERT INTO stock VALUES ('tea', 3), ('jam', 4)`,
)
database.close()

try {
  const extensions = [extension]
  // Without the extension its names are unknown, so the definition is not valid.
  const text = readFileSync(join(folder, 'clerk.yaml'), 'utf8')
  assert.throws(() => parseAgentDefinition(text), /protocol/)
  const clerk = parseAgentDefinition(text, { registries: await registriesOf(extensions) })

  const key = 'polly-cracker-4711-quartz'
  const options: PlanOptions = {
    extensions,
    folder,
    home: join(folder, 'home'),
    user: 'ada',
    env: { WAYBILL_KEY_PARROT: key },
  }

  // Nothing is granted by being an extension: the host of the model is not.
  const ungranted = await planRun(clerk, options)
  assert.match(ungranted.models[0]?.hint ?? '', /allowHosts: \['127\.0\.0\.1/)

  const granted = { ...options, allowHosts: [new URL(parrotUrl).host] }
  const plan = await planRun(clerk, granted)
  assert.deepEqual(
    plan.tools.slice(0, 1).map(({ name, protocol, effect, gate }) => [name, protocol, effect, gate]),
    [['stock', 'sql', 'read', 'allow']],
  )
  assert.deepEqual([plan.models[0]?.eligible, plan.models[0]?.key], [true, 'WAYBILL_KEY_PARROT'])
  assert.equal(plan.memory[0]?.kept_in, 'json_file')
  assert.deepEqual(plan.extensions, [
    { name: 'corner-shop', uses: ['tool sql', 'model parrot', 'memory json_file'] },
  ])

  const result = await run(clerk, { ...granted, input: 'How much is there? Mail ada@lovelace.example.' })
  assert.deepEqual([result.status, result.output], ['completed', 'There are 7.'])
  // The provider received its key and no personal data; memory items were sent and stored in the extension's own file.
  assert.deepEqual(new Set(shown.map((request) => request.key)), new Set([key]))
  assert.ok(shown.every((request) => !request.text.includes('lovelace')))
  assert.ok(shown[0]?.text.includes('short answers'))
  const kept = join(folder, 'home/extensions/corner-shop/memory.json')
  assert.match(readFileSync(kept, 'utf8'), /short answers/)

  // The same from the command line: the operator's configuration names the module.
  const config = join(folder, 'config.yaml')
  writeFileSync(config, `extensions: [${JSON.stringify(join(import.meta.dirname, 'extension.ts'))}]\n`)
  const plain = async (...args: string[]) => {
    const env = { ...process.env, WAYBILL_HOME: join(folder, 'home'), WAYBILL_KEY_PARROT: key }
    const { stdout } = await promisify(execFile)('waybill', args, { env, cwd: folder })
    return stdout
  }
  const waybill = (...args: string[]) => plain(...args, '--config', config)
  assert.match(await plain('audit', 'export'), /corner-shop/)
  const host = ['--allow-host', new URL(parrotUrl).host]
  const seen = await waybill('plan', 'clerk.yaml', '--user', 'ada', ...host)
  assert.match(seen, /stock allowed \(sql; reads; shop\.sqlite\)/)
  assert.match(seen, /corner-shop \(tool sql, model parrot, memory json_file\)/)
  const said = await waybill('run', 'clerk.yaml', '--user', 'ada', '--input', 'How much?', '--json', ...host)
  assert.equal(JSON.parse(said).output, 'There are 7.')

  writeFileSync(join(folder, 'manifest.json'), await waybill('manifest'))
  const verdict = JSON.parse(
    await waybill('negotiate', 'clerk.yaml', '--manifest', 'manifest.json', '--json'),
  )
  assert.deepEqual([verdict.verdict, verdict.unmet], ['accept', []])

  process.stdout.write(`an agent that uses sql, a parrot and a JSON file: ${result.output}\n`)
} finally {
  server.close()
  rmSync(folder, { recursive: true, force: true })
}
