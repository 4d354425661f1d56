import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { run } from 'waybill'
import type { JsonObject } from '../../src/document/json.ts'
import type { ModelOptions } from '../../src/run/ports.ts'
import type { AgentDefinition } from '../../src/spec/aaif/generated/agent.ts'
import { text } from '../run/fixture.ts'

const ENV = { OPENAI_API_KEY: 'any-key' }
const ANSWER = '{"a": 1}'

/** Runs an agent with this block `io`, whose model gives the answer, and says how the model was asked. */
async function ran(io: JsonObject | undefined, answer = ANSWER) {
  const asked: ModelOptions[] = []
  const definition = {
    sc_standard: 'SC-006',
    agent: {
      name: 'Clerk',
      goal: 'Answer.',
      model: { provider: 'openai', preferred: 'gpt-4o' },
      ...(io !== undefined && { io }),
    },
  } as AgentDefinition
  const result = await run(definition, {
    input: 'Go',
    env: ENV,
    modelPort: {
      async ask(_request, options) {
        asked.push(options)
        return text(answer)
      },
    },
  })
  return { result, streams: asked.map(({ onText }) => onText !== undefined) }
}

describe('SPEC-D-18 the block io of a run', () => {
  test('SPEC-D-18: without it, and with an empty one, a run blocks until its answer, which is a text and is not streamed', async () => {
    for (const io of [undefined, {}, { format: 'text', mode: 'sync', streaming: false }]) {
      const { result, streams } = await ran(io)
      assert.deepEqual([result.status, result.output, streams], ['completed', ANSWER, [false]])
    }
  })

  test('SPEC-D-18: each format gives an answer of its kind, and streaming asks the model for a stream', async () => {
    for (const [format, takesText] of [
      ['text', true],
      ['markdown', true],
      ['json', false],
      ['structured', false],
    ] as const) {
      assert.equal((await ran({ format })).result.output, ANSWER, format)
      const { result } = await ran({ format }, 'It is no JSON.')
      assert.deepEqual(
        [result.status, result.error?.code],
        takesText ? ['completed', undefined] : ['failed', 'OUTPUT_INVALID'],
        format,
      )
    }
    assert.deepEqual((await ran({ streaming: true })).streams, [true])
  })

  test('SPEC-D-18: other values are refused before the model is asked', async () => {
    for (const [member, values] of [
      ['format', ['xml', 'JSON', 'yaml', '']],
      ['mode', ['stream', 'Sync', '']],
      ['streaming', ['yes', 1]],
    ] as const)
      for (const value of values)
        await assert.rejects(ran({ [member]: value }), ({ code }: { code: string }) =>
          ['NOT_IN_ENUM', 'WRONG_TYPE', 'DEFINITION_INVALID'].includes(code),
        )
  })
})
