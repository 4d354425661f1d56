import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { drive } from '../../src/run/drive/drive.ts'
import { initialState } from '../../src/run/initial-state.ts'
import type { Message } from '../../src/run/state.ts'
import { calls, modelOf, portsOf, programOf, text, toolsOf } from '../run/fixture.ts'
import { openTools } from './mcp/opening.ts'
import {
  anthropicRoute,
  ask,
  completion,
  customRoute,
  openaiRoute,
  planWith,
  portTo,
  toolNamed,
} from './model-fixture.ts'
import { apiServer } from './openapi/api-fixture.ts'

const args: JsonObject = { note: 'cut \ud83d', '\udc00k': ['\ud83d'] }
/** An escaped half of a surrogate pair at any depth of JSON in JSON; whole pairs are not escaped. */
const HALF = /\\u[dD][89a-fA-F]/

describe('text that leaves is well-formed Unicode', () => {
  const history: readonly Message[] = [
    { role: 'user', text: 'go \ud83d' },
    { role: 'assistant', text: 'so \ud83d', calls: [{ id: 'call_1', tool: 't', args }] },
    { role: 'tool', call_id: 'call_1', tool: 't', result: { note: 'cut \ud83d', '\udc00k': 1 } },
    { role: 'assistant', text: '', calls: [{ id: 'call_2', tool: 't', args: {} }] },
    { role: 'tool', call_id: 'call_2', tool: 't', result: 'cut \ud83d', error: true },
  ]
  const plan = planWith({
    tools: [
      toolNamed('t', {
        description: 'Does \ud83d.',
        parameters_schema: { type: 'object', properties: { '\udc00': {} } },
      }),
    ],
  })
  const routes = {
    openai: openaiRoute,
    custom: customRoute,
    anthropic: anthropicRoute,
    google: (url: string) => ({
      provider: 'google' as const,
      model: 'gemini',
      base_url: `${url}/v1beta`,
      eligible: true as const,
    }),
  }
  for (const [name, route] of Object.entries(routes)) {
    test(`in requests to models: ${name}`, async (t) => {
      const { url, received } = await apiServer(t, (response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(completion({ content: 'ok' }))),
      )
      await ask(portTo(), route(url), { plan, messages: history }).catch(() => {})
      const sent = Buffer.from(received[0]?.body ?? '', 'latin1').toString('utf8')
      assert.ok(sent.includes('cut \ufffd') && sent.includes('\ufffdk'), sent)
      assert.doesNotMatch(sent, HALF)
    })
  }

  test('in calls over MCP', async (t) => {
    const server = join(import.meta.dirname, 'mcp', 'odd-server.mjs')
    const { call } = openTools(t, { servers: { odd: { command: process.execPath, args: [server] } } })
    const raw = '{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"FILL \ud83d"}]}}'
    assert.equal(await call('send', { raw, fill: 0 }), ' \ufffd')
  })

  test('in records, whatever it comes from: users, models, tools and people', async () => {
    const program = programOf({
      tools: [{ name: 'send', description: 'Sends.', parameters_schema: { type: 'object' } }],
      compliance: { human_in_the_loop: { enabled: true } },
    })
    const tools = toolsOf({ send: () => ({ '\udc00k': 'cut \ud83d' }) })
    const model = modelOf(calls(['a', 'send', args], ['b', 'send', {}]), text('done \ud83d'))
    const ports = portsOf(model, tools, {
      ask: async ({ id }) =>
        id === 'a'
          ? { type: 'person.decided', call_id: id, verdict: 'approve', by: 'ann' }
          : { type: 'person.decided', call_id: id, verdict: 'deny', by: 'ann', why: 'no \ud83d' },
    })
    const start = initialState('run-1', program.plan.agent_id, program.hash)
    const state = await drive(program, start, { type: 'run.started', input: 'go \ud83d' }, ports)
    assert.deepEqual(tools.made[0]?.args, { note: 'cut \ufffd', '\ufffdk': ['\ufffd'] })
    assert.equal(state.end?.output, 'done \ufffd')
    assert.doesNotMatch(JSON.stringify(ports.events), HALF)
    assert.doesNotMatch(JSON.stringify(model.requests.map(({ messages }) => messages)), HALF)
  })
})
