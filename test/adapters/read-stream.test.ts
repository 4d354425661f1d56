import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { toModelAnswer } from '../../src/adapters/models/answer.ts'
import { opaqueParts, withOpaqueParts } from '../../src/adapters/models/opaque-parts.ts'
import { readStream } from '../../src/adapters/models/read-stream.ts'

const usage = {
  inputTokens: { total: 4, noCache: 4, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: 0 },
}
const streamOf = (...parts: LanguageModelV4StreamPart[]) =>
  new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
const finish = { type: 'finish', finishReason: { unified: 'stop', raw: 'end_turn' }, usage } as const

describe('a streamed answer', () => {
  test('reasoning between calls and text keeps its place, with its signature', async () => {
    const deltas: string[] = []
    const gathered = await readStream(
      streamOf(
        { type: 'stream-start', warnings: [] },
        { type: 'raw', rawValue: { content_block: { type: 'tool_use', id: 'c1' } } },
        { type: 'reasoning-start', id: 'r1' },
        { type: 'reasoning-delta', id: 'r1', delta: 'let ' },
        { type: 'reasoning-delta', id: 'r1', delta: 'me see' },
        { type: 'reasoning-delta', id: 'r1', delta: '', providerMetadata: { p: { signature: 's1' } } },
        { type: 'reasoning-end', id: 'r1' },
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: 'Fir' },
        { type: 'text-delta', id: 't', delta: 'st.' },
        { type: 'text-end', id: 't' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'f', input: '{"a":1}' },
        { type: 'reasoning-start', id: 'r1', providerMetadata: { p: { redacted: 'zz' } } },
        { type: 'reasoning-end', id: 'r1' },
        { type: 'text-delta', id: 't2', delta: 'Second.' },
        finish,
      ),
      (delta) => deltas.push(delta),
    )
    assert.deepEqual(deltas, ['Fir', 'st.', 'Second.'])
    const { message, usage: used } = toModelAnswer(gathered, 'p', [])
    assert.deepEqual(used, { input_tokens: 4, output_tokens: 2 })
    assert.equal(message.text, 'First.Second.')
    assert.deepEqual(message.calls, [{ id: 'c1', tool: 'f', args: { a: 1 } }])
    assert.deepEqual(withOpaqueParts(message, message.opaque?.parts ?? null), [
      { type: 'reasoning', text: 'let me see', providerOptions: { p: { signature: 's1' } } },
      { type: 'text', text: 'First.' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'f', input: { a: 1 } },
      { type: 'reasoning', text: '', providerOptions: { p: { redacted: 'zz' } } },
      { type: 'text', text: 'Second.' },
    ])
  })

  test('a stream with only a start is incomplete', async () => {
    const call = readStream(streamOf({ type: 'stream-start', warnings: [] }), () => {})
    await assert.rejects(call, { kind: 'unavailable', code: 'MODEL_STREAM_CUT' })
  })

  test('unsigned reasoning is not kept', () => {
    assert.equal(
      opaqueParts([
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'x' },
      ]),
      null,
    )
  })
})
