import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DEFINITION, MailModel, Place, until, waybill } from './fixture.ts'
import { Terminal, terminal } from './real-terminal.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())

const usage = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 }
/** 16 tokens cost $0.16. */
const PRICE = 'models:\n  custom/x: { input_usd_per_mtok: 10000, output_usd_per_mtok: 10000 }\n'

/**
 * Lets the model answer the first input, and fail at the second, when the test says so, and call a tool for the third.
 */
function answers(): { readonly asked: () => number; release(): void } {
  const held: (() => void)[] = []
  let asked = 0
  let open = 0
  model.server.clearFixtures()
  model.server.addFixture({
    match: {},
    response: async (request) => {
      asked++
      const text = String(request.messages.at(-1)?.content)
      if (text.includes('third'))
        return { toolCalls: [{ id: 'c1', name: 'send_mail', arguments: '{"to":"ada"}' }], usage }
      if (open > 0) open--
      else await new Promise<void>((resolve) => held.push(resolve))
      if (text.includes('second')) return { error: { message: 'Not this one.' }, status: 400 }
      return { content: 'One answer.', usage }
    },
  })
  return {
    asked: () => asked,
    /** Lets the model give the answer that it holds, or the next one. */
    release: () => {
      const next = held.shift()
      if (next === undefined) open++
      else next()
    },
  }
}

function batch(t: TestContext, price = true): readonly [Place, readonly string[]] {
  const place = new Place(t)
  place.write('inputs.ndjson', '"first"\n"second"\n"third"\n')
  place.write('config.yaml', PRICE)
  const flags = ['--tools', 'tools.mjs', ...model.flags, ...(price ? ['--config', 'config.yaml'] : [])]
  return [place, ['run', 'agent.json', '--batch', 'inputs.ndjson', ...flags]]
}

function watched(t: TestContext, trigger: object): readonly [Place, readonly string[]] {
  const triggers = [trigger]
  const { tools: _tools, compliance: _compliance, ...agent } = DEFINITION.agent
  const place = new Place(t, {
    ...DEFINITION,
    agent: { ...agent, name: 'Night watch', events: { triggers } },
  })
  return [place, ['watch', 'agent.json', ...model.flags]]
}

describe('many runs on a terminal', () => {
  terminal('a batch shows how far it is, and a line for each run', async (t) => {
    const [place, argv] = batch(t)
    const { asked, release } = answers()
    const tty = new Terminal(t, place)
    tty.command(...argv)
    await until('the model is asked', () => asked() === 1)
    await tty.shows(/0 of 3 inputs finished, 1 active/)
    release()
    await until('the model is asked again', () => asked() === 2)
    await tty.shows(/^1\/3 completed .*\n.*1 of 3 inputs finished, 1 active/m)
    release()
    assert.equal(await tty.code(), 4)
    const lines = [
      /^1\/3 completed \S+ [\d.]+ m?s \$0\.16 One answer\.$/m,
      /^2\/3 failed \S+ [\d.]+ m?s MODEL_REQUEST_REFUSED .*Not this one/m,
      /^3\/3 awaiting approval \S+ [\d.]+ m?s \$0\.16 waits for a person: send_mail$/m,
      /^3 inputs: 1 completed, 1 failed, 1 awaiting approval, \$0\.32/m,
    ]
    for (const line of lines) assert.match(tty.screen(), line)
    assert.doesNotMatch(tty.screen(), /active|[{}]/)
  })

  terminal('watch shows that a run is active, and a line for each run', async (t) => {
    const [place, argv] = watched(t, { type: 'schedule', schedule: '* * * * * *' })
    const { asked, release } = answers()
    const tty = new Terminal(t, place)
    tty.command(...argv, '--once')
    await tty.shows(/watching: Night watch at/)
    await until('the model is asked', () => asked() === 1, 30_000)
    await tty.shows(/schedule starts\n[\s\S]*1 run active/)
    release()
    assert.equal(await tty.code(), 0)
    assert.match(tty.screen(), /^Night watch: completed \S+ [\d.]+ m?s One answer\.$/m)
    assert.doesNotMatch(tty.screen(), /active/)
  })

  terminal('watch shows no active run between two runs', async (t) => {
    const [place, argv] = watched(t, { type: 'file_change', event_name: 'inbox.txt' })
    const { asked, release } = answers()
    const tty = new Terminal(t, place)
    tty.command(...argv)
    await tty.shows(/watching: Night watch when inbox\.txt changes/)
    place.write('inbox.txt', 'Go')
    await until('the model is asked', () => asked() === 1)
    await tty.shows(/1 run active/)
    release()
    await tty.shows(/^Night watch: completed .* One answer\.$/m)
    // Longer than it takes to draw the line again.
    await sleep(1500)
    assert.doesNotMatch(tty.screen(), /active/)
    tty.key('C-c')
    assert.equal(await tty.code(), 0)
  })

  test('in a pipe each result is a line of JSON, and nothing shows the progress', async (t) => {
    const [place, argv] = batch(t)
    const { release } = answers()
    release()
    release()
    const { out, err, code } = await waybill(place, argv, { errIsTty: true, color: true })
    assert.equal(code, 4)
    assert.deepEqual(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).status),
      ['completed', 'failed', 'awaiting_approval'],
    )
    assert.doesNotMatch(err, /active/)
  })

  test('the cost of models without a price is unknown', async (t) => {
    const [place, argv] = batch(t, false)
    const { release } = answers()
    release()
    release()
    const { out, err } = await waybill(place, argv, { outIsTty: true, errIsTty: true })
    assert.match(out, /^1\/3 completed \S+ [\d.]+ m?s One answer\.$/m)
    assert.match(err, /3 inputs: .*, cost unknown\n/)
  })
})
