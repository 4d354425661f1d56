import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AgentDefinition, type RunEvent, run } from 'waybill'
import { apiServer } from '../adapters/openapi/api-fixture.ts'
import { definition, serveFake } from '../server/served.ts'

const ID = '9007199254740993'
const DIGITS = `{"id":${ID},"big":12345678901234567890,"share":0.1234567890123456789,"far":1e400}`

describe('numbers that a double cannot hold', () => {
  test('reach the API of a tool, the model and the final answer with all their digits', async (t) => {
    const api = await apiServer(t, (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(DIGITS),
    )
    const answers = [
      { tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: DIGITS } }] },
      { content: DIGITS },
    ]
    const models = await apiServer(t, (response) => {
      const message = { role: 'assistant', content: null, ...answers[models.received.length - 1] }
      const finish_reason = 'tool_calls' in message ? 'tool_calls' : 'stop'
      const body = {
        id: 'c',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices: [{ index: 0, message, finish_reason }],
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    const parameters = { type: 'object', properties: { id: { type: 'integer' }, share: { type: 'number' } } }
    const agent = {
      sc_standard: 'SC-006',
      agent: {
        name: 'A',
        goal: 'B.',
        model: { provider: 'custom', provider_id: 'acme', preferred: 'm', base_url: `${models.url}/v1` },
        tools: [
          {
            name: 'find',
            description: 'Finds.',
            protocol: 'http',
            endpoint: api.url,
            parameters_schema: parameters,
            output_schema: parameters,
          },
        ],
        io: { output_schema: parameters },
      },
    } as unknown as AgentDefinition
    const events: RunEvent[] = []
    const { status, output } = await run(agent, {
      allowHosts: ['127.0.0.1'],
      input: 'go',
      onEvent: (event) => events.push(event),
    })
    assert.equal(status, 'completed')
    assert.equal(api.received[0]?.body, DIGITS)
    const second = models.received[1]?.body ?? ''
    assert.equal(second.split(JSON.stringify(DIGITS).slice(1, -1)).length - 1, 2, second)
    assert.deepEqual((output as { id: unknown }).id, { $number: ID })
    assert.ok(!JSON.stringify(events).includes('9007199254740992'))
  })

  test('are kept in the input of a run over HTTP, and written as numbers in its answers', async (t) => {
    const { send, token } = await serveFake(t)
    const AGENT = '0198c0de-0000-7000-8000-000000000001'
    const headers = { 'content-type': 'application/json' }
    await send('POST', '/v1/agents', { token, body: definition(AGENT), headers })
    const body = `{"input":${DIGITS.replace(',"far":1e400', '')}}`
    const { json } = await send('POST', `/v1/agents/${AGENT}/runs`, { token, body, headers })
    const { text } = await send('GET', `/v1/runs/${json.run_id}/events`, { token })
    assert.ok(text.includes(`"id":${ID}`) && text.includes('"share":0.1234567890123456789'), text)
    // Most readers do not read a number beyond the range of a double.
    assert.equal(
      (await send('POST', `/v1/agents/${AGENT}/runs`, { token, body: `{"input":${DIGITS}}`, headers }))
        .status,
      400,
    )
  })
})
