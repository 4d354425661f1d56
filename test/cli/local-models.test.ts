import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { Place, waybill } from './fixture.ts'

const agent = (model: object, more: object = {}) => ({
  sc_standard: 'SC-006',
  sc_version: '3.4.0',
  agent_id: '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a10',
  agent: { name: 'Clerk', goal: 'Answer.', model, ...more },
})
const OPENAI = { provider: 'openai', preferred: 'gpt-4o-mini' }
const OLLAMA = { provider: 'ollama', preferred: 'llama3.2' }
const LOCAL = 'http://127.0.0.1:11434'

interface ShownPlan {
  readonly models: readonly {
    readonly eligible: boolean
    readonly reason_code?: string
    readonly hint?: string
  }[]
  readonly tools: readonly { readonly gate: string; readonly reason?: string }[]
}

async function planned(t: TestContext, definition: object, ...flags: string[]): Promise<ShownPlan> {
  const place = new Place(t, definition)
  return JSON.parse((await waybill(place, ['plan', 'agent.json', '--json', ...flags])).out)
}

describe('--model ollama/MODEL needs no other option', () => {
  test('it allows the default address of Ollama for the model', async (t) => {
    const { models } = await planned(t, agent(OPENAI), '--model', 'ollama/llama3.2')
    assert.deepEqual(
      models.map(({ eligible }) => eligible),
      [true],
    )
  })

  test('a definition alone does not, and the hint names the option', async (t) => {
    const { models } = await planned(t, agent(OLLAMA))
    assert.deepEqual(
      models.map(({ eligible, reason_code }) => [eligible, reason_code]),
      [[false, 'ENDPOINT_ADDRESS_PRIVATE']],
    )
    assert.match(models[0]?.hint ?? '', /--model ollama\/llama3\.2; or .*--allow-host 127\.0\.0\.1:11434/)
  })

  test('a fallback of a definition does not either, even for another model on the command line', async (t) => {
    const model = { ...OPENAI, fallbacks: [{ provider: 'ollama', model: 'llama3.2' }] }
    assert.equal((await planned(t, agent(model))).models[1]?.eligible, false)
    const other = await planned(t, agent(OLLAMA), '--model', 'mistral/x')
    assert.equal(
      other.models.some(({ eligible }) => eligible),
      false,
    )
  })

  test('tools still cannot reach this address', async (t) => {
    const tools = [
      {
        name: 'delete_model',
        description: 'Deletes a model.',
        protocol: 'http',
        endpoint: `${LOCAL}/api/delete`,
        parameters_schema: { type: 'object' },
      },
    ]
    const flags = ['--model', 'ollama/llama3.2']
    const { models, tools: shown } = await planned(t, agent(OPENAI, { tools }), ...flags)
    assert.equal(models[0]?.eligible, true)
    assert.deepEqual(
      shown.map(({ gate }) => gate),
      ['deny'],
    )
    assert.match(shown[0]?.reason ?? '', /127\.0\.0\.1/)
  })

  test('a base_url of the definition at the same server is not allowed with it', async (t) => {
    const model = { provider: 'custom', provider_id: 'mine', preferred: 'x', base_url: `${LOCAL}/api` }
    const { models } = await planned(t, agent(model), '--judge', 'ollama/llama3.2')
    assert.deepEqual(
      models.map(({ eligible }) => eligible),
      [false],
    )
  })

  test('a project can still deny the address', async (t) => {
    const place = new Place(t, agent(OPENAI))
    place.write('waybill.yaml', 'deny_hosts: [127.0.0.1]\n')
    const said = await waybill(place, ['plan', 'agent.json', '--model', 'ollama/llama3.2', '--json'])
    assert.equal((JSON.parse(said.out) as ShownPlan).models[0]?.reason_code, 'ENDPOINT_DENIED')
  })

  test('the run reaches the server, and a resumed run too', async (t) => {
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json' })
      const message = { role: 'assistant', content: 'Here.' }
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      response.end(JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: 'm', choices }))
    })
    const listens = await new Promise<boolean>((done) => {
      server.once('error', () => done(false))
      server.listen(11434, '127.0.0.1', () => done(true))
    })
    if (!listens) return t.skip('the port of Ollama is in use')
    t.after(() => server.close())
    const place = new Place(t, agent(OPENAI))
    const ran = await waybill(place, ['run', 'agent.json', 'Hello', '--model', 'ollama/llama3.2', '--json'])
    assert.deepEqual([ran.code, JSON.parse(ran.out).output], [0, 'Here.'], ran.out)
    const again = await waybill(place, ['chat', '--resume', 'last', '--json'], { stdin: 'And now?\n' })
    assert.equal(again.code, 0, again.out + again.err)
  })

  test('a server that does not run is named, with the command that starts it', async (t) => {
    const place = new Place(t, agent(OPENAI))
    const closed = ['--model', 'ollama/llama3.2', '--base-url', 'http://127.0.0.1:19434/v1']
    const said = await waybill(place, ['run', 'agent.json', 'Hello', ...closed])
    assert.match(
      said.err,
      /is Ollama running at http:\/\/127\.0\.0\.1:19434\/v1\? start it with `ollama serve`/,
    )
  })
})
