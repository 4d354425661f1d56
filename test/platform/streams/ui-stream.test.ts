import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { StreamItem } from '../../../src/platform/platform.ts'
import { projectUi, UI_START, type UiItem } from '../../../src/platform/streams/ui-stream.ts'
import type { Decision, Fact } from '../../../src/run/event.ts'
import type { CallEntry } from '../../../src/run/state.ts'
import { answered, asked, failed } from './stored-run.ts'

/** Returns the items of a chat client, without the sequence numbers. */
function shown(items: readonly StreamItem[]): readonly object[] {
  let state = UI_START
  const all: UiItem[] = []
  for (const item of items) {
    const step = projectUi(state, item)
    state = step.state
    all.push(...step.items)
  }
  return all.map((item) => ({ ...item, seq: undefined })).map((item) => JSON.parse(JSON.stringify(item)))
}

const event = (seq: number, fact: Fact, decision: Decision = {}): StreamItem => ({
  type: 'event',
  event: { seq, at: seq, fact, decision },
})
const call: CallEntry = {
  id: 'c1',
  tool: 'refund',
  args: { amount: 5 },
  key: 'k1',
  effect: 'once',
  status: 'asking',
}

describe('what a chat client shows of a run', () => {
  it('an answer completes the text that was streamed', () => {
    const items = shown([
      { type: 'event', event: asked(1, 1) },
      { type: 'text.snapshot', attempt: 1, text: 'It ' },
      { type: 'text', attempt: 1, text: 'is' },
      // After a reconnection, the snapshot repeats the text.
      { type: 'text.snapshot', attempt: 1, text: 'It is in' },
      { type: 'event', event: answered(2, 1, 'It is in Bern') },
    ])
    assert.deepEqual(items.slice(1), [
      { type: 'step.started', attempt: 1 },
      { type: 'text.start', attempt: 1 },
      { type: 'text.delta', attempt: 1, text: 'It ' },
      { type: 'text.delta', attempt: 1, text: 'is' },
      { type: 'text.delta', attempt: 1, text: ' in' },
      { type: 'text.delta', attempt: 1, text: ' Bern' },
      { type: 'text.end', attempt: 1, text: 'It is in Bern' },
      { type: 'step.ended', attempt: 1, usage: { input_tokens: 1, output_tokens: 2 } },
    ])
  })

  it('a text without an answer is discarded, and an answer that differs says so', () => {
    const items = shown([
      { type: 'text.snapshot', attempt: 1, text: 'It' },
      { type: 'event', event: failed(2, 1, 2) },
      { type: 'text.snapshot', attempt: 2, text: 'secret' },
      { type: 'event', event: answered(3, 2, '[removed]') },
      { type: 'text.snapshot', attempt: 3, text: 'a' },
      // Taken over in mid-text.
      { type: 'text.snapshot', attempt: 3, text: 'b' },
    ])
    assert.deepEqual(
      items.filter((item) => 'type' in item && String(item.type).startsWith('text.')),
      [
        { type: 'text.start', attempt: 1 },
        { type: 'text.delta', attempt: 1, text: 'It' },
        { type: 'text.end', attempt: 1, discarded: true },
        { type: 'text.start', attempt: 2 },
        { type: 'text.delta', attempt: 2, text: 'secret' },
        { type: 'text.end', attempt: 2, text: '[removed]', differs: true },
        { type: 'text.start', attempt: 3 },
        { type: 'text.delta', attempt: 3, text: 'a' },
        { type: 'text.end', attempt: 3, discarded: true },
        { type: 'text.start', attempt: 3 },
        { type: 'text.delta', attempt: 3, text: 'b' },
      ],
    )
  })

  it('a call that needs approval is announced once, asked, decided and answered', () => {
    const end = { status: 'completed', stop_reason: 'final', output: 'done' } as const
    const items = shown([
      event(1, { type: 'hook.ran', hook: 'on_start', ok: true, latency_ms: 1 }, { calls: [call] }),
      event(
        2,
        { type: 'person.decided', call_id: 'c1', verdict: 'approve', by: 'eve' },
        { set: { c1: 'sent' } },
      ),
      event(3, { type: 'run.resumed', by: 'worker' }, { set: { c1: 'unknown' } }),
      event(
        4,
        { type: 'person.decided', call_id: 'c1', verdict: 'assume', by: 'eve', result: true },
        { done: { call_id: 'c1', result: true }, settle: true, end },
      ),
    ])
    assert.deepEqual(items, [
      { type: 'tool.call', call_id: 'c1', tool: 'refund', arguments: { amount: 5 } },
      {
        type: 'approval.requested',
        call_id: 'c1',
        asks: 'approval',
        tool: 'refund',
        arguments: { amount: 5 },
      },
      { type: 'approval.decided', call_id: 'c1', verdict: 'approve', by: 'eve' },
      { type: 'run.resumed', by: 'worker' },
      {
        type: 'approval.requested',
        call_id: 'c1',
        asks: 'unknown',
        tool: 'refund',
        arguments: { amount: 5 },
      },
      { type: 'approval.decided', call_id: 'c1', verdict: 'assume', by: 'eve' },
      { type: 'tool.result', call_id: 'c1', result: true },
      { type: 'run.ended', end, usage: { input_tokens: 0, output_tokens: 0 } },
    ])
  })
})
