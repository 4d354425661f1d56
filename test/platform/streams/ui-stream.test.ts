import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { StreamItem } from '../../../src/platform/streams/stream-item.ts'
import { projectUi, UI_START, type UiItem } from '../../../src/platform/streams/ui-stream.ts'
import type { Decision, Fact } from '../../../src/run/event.ts'
import type { CallEntry } from '../../../src/run/state.ts'
import { answered, asked, attemptOf, failed } from './stored-run.ts'

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
  const paused = event(2, { type: 'run.paused', by: 'ann', partial: 'It is in B' }, { abort: 'model' })
  const resumed = event(
    3,
    { type: 'run.resumed', by: 'ann' },
    { attempt: { ...attemptOf(2), continues: true } },
  )
  const texts = (items: readonly StreamItem[]) =>
    shown(items).filter((item) => 'type' in item && String(item.type).startsWith('text.'))

  it('an answer that is continued after a pause is one text, of which nothing is repeated', () => {
    const items = texts([
      { type: 'event', event: asked(1, 1) },
      { type: 'text.snapshot', attempt: 1, text: 'It is in' },
      paused,
      resumed,
      // The text of the continuation begins with the interrupted answer, and arrives in pieces.
      { type: 'text.snapshot', attempt: 2, text: 'It ' },
      { type: 'text', attempt: 2, text: 'is in B' },
      { type: 'text', attempt: 2, text: 'ern' },
      // After a reconnection.
      { type: 'text.snapshot', attempt: 2, text: 'It is in Bern, ' },
      { type: 'event', event: answered(4, 2, 'It is in Bern, today') },
    ])
    assert.deepEqual(items, [
      { type: 'text.start', attempt: 1 },
      { type: 'text.delta', attempt: 1, text: 'It is in' },
      { type: 'text.delta', attempt: 1, text: ' B' },
      { type: 'text.delta', attempt: 1, text: 'ern' },
      { type: 'text.delta', attempt: 1, text: ', ' },
      { type: 'text.delta', attempt: 1, text: 'today' },
      { type: 'text.end', attempt: 1, text: 'It is in Bern, today' },
    ])
  })

  it('a continuation that a client has not seen is completed by the answer', () => {
    const items = texts([
      { type: 'text.snapshot', attempt: 1, text: 'It is in' },
      paused,
      resumed,
      { type: 'event', event: answered(4, 2, 'It is in Bern') },
    ])
    assert.deepEqual(items.slice(2), [
      { type: 'text.delta', attempt: 1, text: ' Bern' },
      { type: 'text.end', attempt: 1, text: 'It is in Bern' },
    ])
  })

  it('a continuation of another text begins a text of its own', () => {
    const items = texts([
      { type: 'text.snapshot', attempt: 1, text: 'It is in' },
      paused,
      resumed,
      { type: 'text.snapshot', attempt: 2, text: 'It was' },
    ])
    assert.deepEqual(items.slice(2), [
      { type: 'text.end', attempt: 1, discarded: true },
      { type: 'text.start', attempt: 2 },
      { type: 'text.delta', attempt: 2, text: 'It was' },
    ])
  })

  it('a client that joins after the pause gets the whole text', () => {
    const items = texts([
      resumed,
      { type: 'text.snapshot', attempt: 2, text: 'It is in B' },
      { type: 'text', attempt: 2, text: 'ern' },
      { type: 'event', event: answered(4, 2, 'It is in Bern') },
    ])
    assert.deepEqual(items, [
      { type: 'text.start', attempt: 2 },
      { type: 'text.delta', attempt: 2, text: 'It is in B' },
      { type: 'text.delta', attempt: 2, text: 'ern' },
      { type: 'text.end', attempt: 2, text: 'It is in Bern' },
    ])
  })

  it('a question that is asked again after a pause discards the text', () => {
    const again = event(3, { type: 'run.resumed', by: 'ann' }, { attempt: attemptOf(2) })
    const items = texts([{ type: 'text.snapshot', attempt: 1, text: 'It is in' }, paused, again])
    assert.deepEqual(items.at(-1), { type: 'text.end', attempt: 1, discarded: true })
  })

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

  it('a call whose server asks a person is announced once, with the questions', () => {
    const questions = [{ key: 'q', mode: 'form', message: 'Which city?' }] as const
    const asking: CallEntry = { ...call, status: 'input_required', elicitation: { round: 1, questions } }
    const again: CallEntry = { ...asking, status: 'sent' }
    const items = shown([
      event(
        1,
        { type: 'hook.ran', hook: 'on_start', ok: true, latency_ms: 1 },
        { calls: [{ ...call, status: 'sent' }] },
      ),
      event(2, { type: 'call.asked', call_id: 'c1', questions, latency_ms: 1 }, { judged: [asking] }),
      event(3, { type: 'person.decided', call_id: 'c1', verdict: 'answer', by: 'eve' }, { judged: [again] }),
    ])
    assert.deepEqual(items, [
      { type: 'tool.call', call_id: 'c1', tool: 'refund', arguments: { amount: 5 } },
      {
        type: 'approval.requested',
        call_id: 'c1',
        asks: 'input',
        tool: 'refund',
        arguments: { amount: 5 },
        questions,
      },
      { type: 'approval.decided', call_id: 'c1', verdict: 'answer', by: 'eve' },
    ])
  })
})
