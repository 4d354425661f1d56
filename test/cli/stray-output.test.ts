import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { DEFINITION, GO, MailModel, Place, start } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.script())

const UNASKED = { ...DEFINITION, agent: { ...DEFINITION.agent, compliance: {} } }

/** Functions that write to standard output in each way that a module has. */
const LOUD = `import { Console } from 'node:console'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
console.log('at import')
export const tools = { send_mail: async ({ to }) => {
  console.log('PAYING', to)
  console.table([{ to }])
  process.stdout.write('with a callback\\n', () => console.info('called back'))
  process.stdout.write(Buffer.from('bytes\\n'))
  process.stdout.write('6865780a', 'hex')
  new Console(process.stdout).log('own console')
  await pipeline(Readable.from(['piped\\n']), process.stdout, { end: false })
  return { sent: to }
} }
export const hooks = {}
`
const WRITTEN = [
  'at import',
  'PAYING ada',
  'with a callback',
  'called back',
  'bytes',
  'hex',
  'own console',
  'piped',
]

describe('what code of the user writes to standard output', () => {
  const ways: readonly (readonly [name: string, argv: readonly string[], out: RegExp])[] = [
    ['run', [...GO], /^It is sent\.\n$/],
    ['run --json', [...GO, '--json'], /^\{[\s\S]*"status": ?"completed"[\s\S]*\}\n$/],
    ['run --events ndjson', [...GO, '--events', 'ndjson'], /^(\{"v":1,.*\}\n)+$/],
    [
      'run --batch --json',
      ['run', 'agent.json', '--tools', 'tools.mjs', '--batch', 'inputs.jsonl', '--json'],
      /^[[{][\s\S]*"completed"[\s\S]*[\]}]\n$/,
    ],
  ]
  for (const [name, argv, out] of ways)
    test(`goes to standard error: ${name}`, async (t) => {
      const place = new Place(t, UNASKED)
      place.write('tools.mjs', LOUD)
      place.write('inputs.jsonl', '"Go"\n')
      const driven = start(place, [...argv, ...model.flags])
      assert.equal(await driven.ended, 0, driven.err())
      assert.match(driven.out(), out)
      if (name.includes('--json')) JSON.parse(driven.out())
      for (const text of WRITTEN) {
        assert.ok(driven.err().includes(text), `${text}:\n${driven.err()}`)
        assert.ok(!driven.out().includes(text), text)
      }
    })

  test('a JSON error is still one JSON value on standard output', async (t) => {
    const place = new Place(t, UNASKED)
    place.write('tools.mjs', "console.log('at import'); throw new Error('no')")
    const driven = start(place, [...GO, ...model.flags, '--json'])
    assert.notEqual(await driven.ended, 0)
    assert.equal(typeof JSON.parse(driven.out()).error.code, 'string')
    assert.match(driven.err(), /at import/)
  })
})
