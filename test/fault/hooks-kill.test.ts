import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test'
import { DEFINITION, MailModel, Place, start, until, waybill } from '../cli/fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.script())

const HOOKED = {
  ...DEFINITION,
  agent: {
    ...DEFINITION.agent,
    compliance: {},
    runtime: { max_retries: 0 },
    events: { on_start: 'tell', on_tool_call: 'tell', on_complete: 'tell', on_error: 'tell' },
  },
}

/** Hooks and a function that report their calls to this server, which can leave one of them without an answer. */
class Ledger {
  readonly said: { readonly what: string; readonly key: string }[] = []
  held: string | null = null
  readonly #server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const said = JSON.parse(body) as { what: string; key: string }
    this.said.push(said)
    if (said.what !== this.held) response.end('{}')
  })

  async open(t: TestContext): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    t.after(() => {
      this.#server.closeAllConnections()
      this.#server.close()
    })
  }

  module(): string {
    return `
      const url = 'http://127.0.0.1:${(this.#server.address() as AddressInfo).port}'
      const tell = (what, key) => fetch(url, { method: 'POST', body: JSON.stringify({ what, key }) }).then(() => {})
      export const hooks = { tell: ({ hook }, { idempotencyKey }) => tell(hook, idempotencyKey) }
      export const tools = { send_mail: async (_, { idempotencyKey }) => { await tell('call', idempotencyKey); return 'sent' } }
    `
  }

  keys(what: string): readonly string[] {
    return this.said.filter((one) => one.what === what).map(({ key }) => key)
  }
}

/** Starts a run and kills it while the held call is in flight. */
async function killedAt(t: TestContext, held: string) {
  const ledger = new Ledger()
  await ledger.open(t)
  const place = new Place(t, HOOKED)
  ledger.held = held
  place.write('tools.mjs', ledger.module())
  const args = ['run', 'agent.json', '--tools', 'tools.mjs', '--input', 'Go', '--json', ...model.flags]
  const run = start(place, args)
  await until(`${held} is under way`, () => ledger.keys(held).length > 0)
  run.child.kill('SIGKILL')
  await run.ended
  ledger.held = null
  const [id = ''] = await place.runIds()
  const facts = async () =>
    (await place.events(id)).map(({ fact }) => (fact.type === 'hook.ran' ? fact.hook : fact.type))
  return { ledger, facts, resume: () => waybill(place, ['resume', id, '--json']) }
}

describe('SPEC-D-20: a hook that was in flight when the process was killed', () => {
  for (const [hook, failing] of [
    ['on_start', false],
    ['on_complete', false],
    ['on_error', true],
  ] as const) {
    test(`${hook} is called again with its key, and not again after it is on record`, async (t) => {
      if (failing) {
        model.server.clearFixtures()
        model.server.addFixture({ match: {}, response: { error: { message: 'no' }, status: 400 } })
      }
      const { ledger, facts, resume } = await killedAt(t, hook)
      assert.ok(!(await facts()).includes(hook))
      const first = await resume()
      assert.equal(first.code, failing ? 3 : 0, first.err)
      assert.equal(JSON.parse(first.out).status, failing ? 'failed' : 'completed')
      assert.ok((await facts()).includes(hook))
      assert.equal((await resume()).code, failing ? 3 : 0)
      const keys = ledger.keys(hook)
      assert.deepEqual([keys.length, new Set(keys).size], [2, 1])
      assert.equal(ledger.keys('call').length, failing ? 0 : 1)
    })
  }

  test('on_tool_call is called again with its key: the call was not sent, so no person is asked', async (t) => {
    const { ledger, resume } = await killedAt(t, 'on_tool_call')
    assert.equal((await resume()).code, 0)
    const keys = ledger.keys('on_tool_call')
    assert.deepEqual([keys.length, new Set(keys).size], [2, 1])
    assert.equal(ledger.keys('call').length, 1)
  })

  test('a call is sent only after the permission of on_tool_call is on record', async (t) => {
    const { facts, resume } = await killedAt(t, 'call')
    assert.deepEqual(await facts(), ['run.started', 'on_start', 'model.answered', 'on_tool_call'])
    // From then on its outcome is unknown.
    assert.equal((await resume()).code, 4)
  })
})
