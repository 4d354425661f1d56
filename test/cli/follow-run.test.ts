import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Io } from '../../src/cli/io.ts'
import { followRun } from '../../src/cli/remote/follow-run.ts'
import type { ServerClient } from '../../src/cli/remote/server-client.ts'
import type { Json } from '../../src/document/json.ts'

const RUN = '0198c0de-7a11-7000-8000-000000000001'

/** A server on which a run writes a text in pieces, and then ends with an output. */
function serverOf(text: string, output: Json): ServerClient {
  let status = 'running'
  const view = () => ({
    run_id: RUN,
    agent_id: 'a',
    status,
    stop_reason: 'final',
    output: status === 'completed' ? output : null,
    rehearsal: true,
    model: null,
    usage: {
      input_tokens: 1,
      output_tokens: 1,
      cost_usd: null,
      llm_calls: 1,
      tool_calls: 0,
      iterations: 1,
      duration_ms: 1,
    },
    subagents: [],
    warnings: [],
  })
  return {
    url: 'http://127.0.0.1:1',
    send: async (_method: string, path: string) => (path === `/v1/runs/${RUN}` ? view() : { items: [] }),
    async *follow() {
      const pieces = text.match(/.{1,4}/gs) ?? []
      for (const [index, piece] of pieces.entries())
        yield { event: index === 0 ? 'text.snapshot' : 'text', data: { attempt: 1, text: piece } }
      status = 'completed'
      yield { event: 'end', data: {} }
    },
  } as unknown as ServerClient
}

async function printed(text: string, output: Json, outIsTty: boolean): Promise<string> {
  let out = ''
  const io = {
    out: (piece: string) => {
      out += piece
    },
    err: () => {},
    env: {},
    stdin: {},
    outIsTty,
    errIsTty: outIsTty,
    color: false,
  } as unknown as Io
  assert.equal(await followRun(serverOf(text, output), RUN, { json: false }, io), 0)
  return out
}

describe('the answer of a run on a server', () => {
  const cases: readonly (readonly [what: string, text: string, output: Json, out: string])[] = [
    ['an object', '{"to":"ada","eur":40}', { to: 'ada', eur: 40 }, '{\n  "to": "ada",\n  "eur": 40\n}\n'],
    ['an object in a fence', '```json\n{"to":"ada"}\n```', { to: 'ada' }, '{\n  "to": "ada"\n}\n'],
    ['a list', ' [1]', [1], '[\n  1\n]\n'],
    ['a string in JSON', '"Done."', 'Done.', 'Done.\n'],
    ['a number', '1234567', 1234567, '1234567\n'],
    ['a truth value', 'true', true, 'true\n'],
    ['a text', 'It is done.', 'It is done.', 'It is done.\n'],
    ['a text that begins with a brace', '{so} it is', '{so} it is', '{so} it is\n'],
  ]
  for (const [what, text, output, out] of cases)
    test(`is printed once and complete, on a terminal and into a pipe: ${what}`, async () => {
      assert.equal(await printed(text, output, false), out)
      assert.equal(await printed(text, output, true), out)
    })
})
