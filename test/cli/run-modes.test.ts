import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AgentDefinition, type Json, runBatch } from 'waybill'
import { DEFINITION, GO, MailModel, Place, takeSlot, waybill } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.script())

const ECHO = {
  ...DEFINITION,
  agent: {
    name: 'Echo',
    goal: 'Say it again.',
    model: { provider: 'custom', provider_id: 'custom', preferred: 'x' },
    io: { input_schema: { type: 'object', required: ['n'] }, mode: 'batch' },
  },
}

const lines = (text: string) => text.trim().split('\n')

describe('SPEC-D-31 io.mode batch', () => {
  test('SPEC-D-31: a list of inputs: one run and one result line each, in order, and the highest exit code', async (t) => {
    const place = new Place(t, ECHO)
    place.write('inputs.ndjson', '{"n":1}\n\n{"no":2}\n{"n":3}\n')
    const { out, err, code } = await waybill(place, [
      'run',
      'agent.json',
      '--batch',
      'inputs.ndjson',
      '--rehearse',
    ])
    assert.equal(code, 1, err)
    const results = lines(out).map((line) => JSON.parse(line))
    assert.deepEqual(
      results.map(({ status }) => status),
      ['completed', 'refused', 'completed'],
    )
    assert.equal(new Set(results.map(({ run_id }) => run_id)).size, 3)
    assert.equal((await place.runIds()).length, 3)
    assert.match(
      err,
      /1\/3 completed .*\n2\/3 refused .* INPUT_INVALID .*\n3\/3 completed .*\n3 inputs: 2 completed, 1 refused \(rehearsal\)\n$/,
    )
  })

  test('a JSON array, standard input, and one JSON value for scripts', async (t) => {
    const place = new Place(t, ECHO)
    const { out, code } = await waybill(
      place,
      ['run', 'agent.json', '--batch', '-', '--rehearse', '--json'],
      {
        stdin: '[{"n":1},{"n":2}]',
      },
    )
    assert.equal(code, 0)
    assert.equal(JSON.parse(out).results.length, 2)
  })

  test('an invalid list of inputs is refused before any run', async (t) => {
    const place = new Place(t, ECHO)
    place.write('bad.ndjson', '{"n":1}\n{"n":\n')
    const command = ['run', 'agent.json', '--rehearse', '--json', '--batch']
    const bad = JSON.parse((await waybill(place, [...command, 'bad.ndjson'])).out).error
    assert.deepEqual([bad.code, bad.line], ['BATCH_INVALID', 2])
    assert.equal(JSON.parse((await waybill(place, [...command, '-'])).out).error.code, 'BATCH_INVALID')
    assert.equal(JSON.parse((await waybill(place, [...command, 'gone'])).out).error.code, 'BATCH_UNREADABLE')
    assert.deepEqual(await place.runIds(), [])
  })

  test('SPEC-D-31: the library respects runtime.concurrency, and keeps the order', async (t) => {
    const place = new Place(t)
    let running = 0
    let most = 0
    const definition = {
      sc_standard: 'SC-006',
      agent: {
        name: 'Pool',
        goal: 'Echo.',
        model: { provider: 'openai', preferred: 'm' },
        runtime: { concurrency: 2 },
      },
    } as AgentDefinition
    const order: number[] = []
    const results = await runBatch(definition, [50, 10, 10, 10], {
      env: { OPENAI_API_KEY: 'not-used', WAYBILL_HOME: place.home },
      onResult: (_, index) => order.push(index),
      modelPort: {
        ask: async ({ messages }) => {
          most = Math.max(most, ++running)
          const said = messages[0]?.role === 'user' ? messages[0].text : ''
          await sleep(Number(said))
          running--
          return {
            message: { role: 'assistant', text: said, calls: [] },
            finish: 'stop',
            usage: { input_tokens: 1, output_tokens: 1 },
            warnings: [],
          }
        },
      },
    })
    assert.deepEqual(
      results.map(({ output }) => output),
      ['50', '10', '10', '10'] satisfies Json[],
    )
    assert.deepEqual(order, [0, 1, 2, 3])
    assert.equal(most, 2)
  })
})

describe('SPEC-D-31 io.mode async', () => {
  const writer = {
    ...DEFINITION,
    agent: { ...DEFINITION.agent, compliance: {}, runtime: { concurrency: 1 } },
  }

  test('SPEC-D-31: --detach prints the id at once, and the run continues without this process', async (t) => {
    const place = new Place(t, writer)
    // While the agent may not run, the run is there, waits, and can be seen.
    const release = await takeSlot(t, place, writer.agent_id)
    const { out, code, err } = await waybill(place, [...GO, '--detach', '--json', ...model.flags])
    assert.equal(code, 0, err)
    const { run_id, status } = JSON.parse(out)
    assert.equal(status, 'running')
    const show = async () => JSON.parse((await waybill(place, ['runs', 'show', run_id, '--json'])).out)
    assert.equal((await show()).status, 'running')
    assert.deepEqual(place.sent(), [])
    release()
    for (let tries = 0; (await show()).status === 'running' && tries < 150; tries++) await sleep(100)
    assert.equal((await show()).status, 'completed')
    assert.equal(place.sent().length, 1)
  })

  test('an error before the start is reported at once', async (t) => {
    const place = new Place(t, writer)
    const command = ['run', 'agent.json', '--detach', '--json', '--model', 'nonsense']
    const { out, code } = await waybill(place, command)
    assert.equal(code, 2)
    assert.equal(JSON.parse(out).error.code, 'MODEL_INVALID')
    const person = await waybill(place, command.toSpliced(3, 1))
    assert.deepEqual([person.code, person.out], [2, ''])
    assert.match(person.err, /^error MODEL_INVALID .*\n {2}hint /)
    assert.deepEqual(await place.runIds(), [])
  })
})
