import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, beforeEach, describe, test } from 'node:test'
import { BIN } from '../started-process.ts'
import { MailModel, Place, waybill } from './fixture.ts'
import { Terminal, terminal } from './real-terminal.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => {
  model.server.clearRequests()
  model.script({ calls: false })
})

const AGENT = {
  sc_standard: 'SC-006',
  sc_version: '3.4.0',
  agent_id: '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a10',
  agent: { name: 'Clerk', goal: 'Answer.', model: { provider: 'openai', preferred: 'gpt-4o-mini' } },
}

const withSchema = (input_schema: object) => ({ ...AGENT, agent: { ...AGENT.agent, io: { input_schema } } })

const go = (...argv: string[]) => ['run', 'agent.json', ...argv, ...model.flags]

function errorOf(out: string) {
  return (JSON.parse(out) as { error: Record<string, unknown> }).error
}

describe('a run without input', () => {
  test('INPUT_MISSING, exit 2, before any request and without a record', async (t) => {
    const place = new Place(t, AGENT)
    const said = await waybill(place, go('--json'))
    assert.deepEqual([said.code, errorOf(said.out).code], [2, 'INPUT_MISSING'])
    assert.match(String(errorOf(said.out).hint), /--input TEXT/)
    assert.equal(model.server.getRequests().length, 0)
    assert.deepEqual(await place.runIds(), [])
  })

  test('with --detach it is the same error', async (t) => {
    const place = new Place(t, AGENT)
    const said = await waybill(place, go('--detach', '--json'))
    assert.deepEqual([said.code, errorOf(said.out).code], [2, 'INPUT_MISSING'])
  })

  test('an empty input that is given explicitly is sent', async (t) => {
    const place = new Place(t, AGENT)
    assert.equal((await waybill(place, go('--input', ''))).code, 0)
    assert.equal(model.server.getRequests().length, 1)
  })

  test('a rehearsal needs none', async (t) => {
    const place = new Place(t, AGENT)
    assert.equal((await waybill(place, ['run', 'agent.json', '--rehearse'])).code, 0)
  })

  const schemas: readonly (readonly [rule: string, schema: object, input: string | null])[] = [
    ['a schema with a default', { type: 'string', default: 'List what is due.' }, 'List what is due.'],
    ['a schema that accepts null', { type: ['object', 'null'], required: ['a'] }, 'null'],
    ['an object without required members', { type: 'object', properties: { a: { type: 'string' } } }, '{}'],
    [
      'required members with defaults',
      { type: 'object', required: ['days'], properties: { days: { type: 'integer', default: 7 } } },
      '{"days":7}',
    ],
    ['a text', { type: 'string' }, null],
    ['a required member', { type: 'object', required: ['a'], properties: { a: {} } }, null],
    ['any value', {}, null],
  ]
  for (const [rule, schema, input] of schemas) {
    test(`${rule}: ${input === null ? 'INPUT_MISSING' : `the input is ${input}`}`, async (t) => {
      const place = new Place(t, withSchema(schema))
      const said = await waybill(place, go('--json'))
      if (input === null) return assert.equal(errorOf(said.out).code, 'INPUT_MISSING')
      assert.equal(said.code, 0, said.out)
      assert.equal(model.lastMessage(), input)
    })
  }

  test('an empty pipe does not count as an input', (t) => {
    const place = new Place(t, AGENT)
    const env = { ...place.env, BIN }
    const piped = spawnSync('sh', ['-c', `printf '' | "$BIN" ${go('--json').join(' ')}`], {
      cwd: place.folder,
      env,
      encoding: 'utf8',
    })
    assert.equal(errorOf(piped.stdout).code, 'INPUT_MISSING')
  })

  terminal('on a terminal the person is asked', async (t) => {
    const place = new Place(t, AGENT)
    const shell = new Terminal(t, place)
    shell.command(...go())
    await shell.shows(/What should the agent do\?/)
    shell.type('Count the parcels')
    shell.key('Enter')
    assert.equal(await shell.code(), 0)
    assert.equal(model.lastMessage(), 'Count the parcels')
  })

  terminal('Ctrl-C at the question starts no run', async (t) => {
    const place = new Place(t, AGENT)
    const shell = new Terminal(t, place)
    shell.command(...go())
    await shell.shows(/What should the agent do\?/)
    shell.key('C-c')
    assert.equal(await shell.code(), 130)
    assert.deepEqual(await place.runIds(), [])
  })
})

describe('the input as an argument', () => {
  test('is the same as --input', async (t) => {
    const place = new Place(t, AGENT)
    assert.equal((await waybill(place, go('refund T-17'))).code, 0)
    assert.equal(model.lastMessage(), 'refund T-17')
    place.write('question.txt', 'from a file')
    assert.equal((await waybill(place, go('@question.txt'))).code, 0)
    assert.equal(model.lastMessage(), 'from a file')
    assert.equal((await waybill(place, go('-'), { stdin: 'from a pipe' })).code, 0)
    assert.equal(model.lastMessage(), 'from a pipe')
  })

  for (const option of ['--input', '--batch']) {
    test(`together with ${option} it is refused`, async (t) => {
      const place = new Place(t, AGENT)
      const said = await waybill(place, go('hello', option, 'x', '--json'))
      assert.deepEqual([said.code, errorOf(said.out).code], [2, 'USAGE'])
      assert.match(String(errorOf(said.out).message), new RegExp(option))
    })
  }
})

describe('an input that begins like JSON but is not', () => {
  test('is an error with line and column if the agent needs JSON', async (t) => {
    const place = new Place(t, withSchema({ type: 'object' }))
    const said = await waybill(place, go('--input', '{"a":\n 1,}', '--json'))
    const { code, line, column, message } = errorOf(said.out)
    assert.deepEqual([said.code, code, line, column], [2, 'INPUT_NOT_JSON', 2, 4], said.out)
    assert.match(String(message), /begins like JSON but is not/)
    place.write('in.json', '[1, 2')
    const file = await waybill(place, go('--input', '@in.json', '--json'))
    assert.equal(errorOf(file.out).file, 'in.json')
    assert.equal(model.server.getRequests().length, 0)
  })

  for (const [rule, definition] of [
    ['no schema', AGENT],
    ['a schema that accepts text', withSchema({ type: 'string' })],
  ] as const) {
    test(`is sent as text with a warning: ${rule}`, async (t) => {
      const place = new Place(t, definition)
      const said = await waybill(place, go('--input', '{"a": '))
      assert.equal(said.code, 0)
      assert.match(said.err, /! INPUT_NOT_JSON .*line 1, column 7.*sent as text/)
      assert.equal(model.lastMessage(), '{"a": ')
    })
  }

  for (const text of [
    '[urgent] call me',
    '{name}, please call',
    '{"a": 1}',
    '[1] see below',
    'plain',
    '3 apples',
  ])
    test(`no false alarm: ${text}`, async (t) => {
      const place = new Place(t, AGENT)
      const said = await waybill(place, go('--input', text))
      assert.equal(said.code, 0)
      assert.doesNotMatch(said.err, /INPUT_NOT_JSON/)
      assert.equal(model.lastMessage(), text)
    })
})
