import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { LLMock } from '@copilotkit/aimock'
import { DEFINITION, GO, MailModel, Place, start, takeSlot, until, waybill } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.script())

const ONE = {
  ...DEFINITION,
  agent: { ...DEFINITION.agent, compliance: {}, runtime: { concurrency: 1 } },
}

describe('runtime.concurrency on the command line', () => {
  test('AAIF-4.6-03: a start above the limit fails with --no-wait, else it waits and reports that', async (t) => {
    const place = new Place(t, ONE)
    const release = await takeSlot(t, place, ONE.agent_id)
    const command = [...GO, '--json', ...model.flags]
    const refused = await waybill(place, [...command, '--no-wait'])
    assert.equal(refused.code, 1)
    assert.equal(JSON.parse(refused.out).error.code, 'CONCURRENCY_EXCEEDED')
    assert.deepEqual(await place.runIds(), [], 'a run without events is not kept')
    assert.deepEqual(place.sent(), [])
    const waiting = waybill(place, command)
    setTimeout(release, 300)
    const { code, err, out } = await waiting
    assert.equal(code, 0, err)
    assert.match(err, /waiting for Clerk: limit of 1 at a time \(runtime\.concurrency\), held by process \d+/)
    assert.equal(JSON.parse(out).status, 'completed')
    assert.equal(place.sent().length, 1)
  })

  const inputs = ['--batch', 'inputs.json']
  const background = ['--input', 'go', '--run-id', '0198c0de-0000-7000-8000-000000000001']
  for (const [declared, started, refused] of [
    [undefined, 'by hand', false],
    [undefined, 'by a batch', true],
    [undefined, 'in the background', true],
    [1, 'by hand', true],
    [1, 'by a batch', true],
    [1, 'in the background', true],
    [2, 'by a batch', false],
    [2, 'in the background', false],
  ] as const) {
    const what =
      declared === undefined ? 'without runtime.concurrency' : `with runtime.concurrency ${declared}`
    test(`SPEC-D-21, AAIF-4.6-03: ${what}, a second run that is started ${started} ${refused ? 'is above the limit' : 'runs'}`, async (t) => {
      const runtime = declared === undefined ? {} : { concurrency: declared }
      const place = new Place(t, {
        ...DEFINITION,
        agent: { ...DEFINITION.agent, compliance: {}, runtime },
      })
      place.write('inputs.json', '["go"]')
      await takeSlot(t, place, DEFINITION.agent_id)
      const how = started === 'by hand' ? ['--input', 'Go'] : started === 'by a batch' ? inputs : background
      const { code, out } = await waybill(place, [
        ...GO.slice(0, 4),
        ...how,
        '--json',
        '--no-wait',
        ...model.flags,
      ])
      assert.equal(code, refused ? 1 : 0, out)
      assert.equal(out.includes('CONCURRENCY_EXCEEDED'), refused)
      const plan = await waybill(place, ['plan', 'agent.json', '--json', ...model.flags])
      const { concurrency, unattended_concurrency } = JSON.parse(plan.out).limits
      assert.deepEqual(
        [concurrency, unattended_concurrency],
        [declared, declared === undefined ? 1 : undefined],
      )
    })
  }

  test('AAIF-4.6-03: agents that call each other from two processes do not deadlock', async (t) => {
    const place = new Place(t)
    const server = new LLMock({ port: 0, host: '127.0.0.1' })
    t.after(() => server.stop())
    const url = await server.start()
    let begun = 0
    const reply = async (
      { messages }: { readonly messages: readonly { readonly role: string; readonly content: unknown }[] },
      other: string,
    ) => {
      const last = messages.at(-1)
      if (last?.content === 'help') return { content: 'helped' }
      if (last?.role === 'tool') return { content: `result: ${String(last.content)}` }
      begun++
      // Both hold their own slot before either requests the slot of the other.
      await until('both have begun', () => begun >= 2)
      return { toolCalls: [{ id: 'c1', name: `ask_${other}`, arguments: '{"task":"help"}' }] }
    }
    for (const [name, other] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      server.addFixture({
        match: { predicate: ({ model: asked }) => asked === name },
        response: (request) => reply(request, other),
      })
      const agent = {
        name,
        goal: `Be ${name}.`,
        model: { provider: 'custom', provider_id: 'x', preferred: name, base_url: `${url}/v1` },
        orchestration: { subagents: [{ ref: other, alias: other }] },
        runtime: { concurrency: 1 },
      }
      place.write(`${name}.json`, JSON.stringify({ sc_standard: 'SC-006', agent_id: AGENT_IDS[name], agent }))
    }
    const runs = ['a', 'b'].map((name) =>
      start(place, ['run', `${name}.json`, '--input', 'go', '--json', '--allow-host', new URL(url).host]),
    )
    const codes = await Promise.all(runs.map(({ ended }) => ended))
    assert.deepEqual(codes, [0, 0], runs.map((one) => one.err()).join())
    const outputs = runs.map((one) => JSON.parse(one.out()).output as string).sort()
    assert.match(
      outputs[0] ?? '',
      /^result: "?CONCURRENCY_DEADLOCK: deadlock: \w may run 1 at a time, and each of these runs waits for \w, which waits for this run/,
    )
    assert.match(outputs[1] ?? '', /^result: "?helped/)
  })
})

const AGENT_IDS = { a: '0c6f4b1e-3a52-4d57-9f5e-6a1f0b2c3d4e', b: '1d7a5c2f-4b63-4e68-8a6f-7b2a1c3d4e5f' }
