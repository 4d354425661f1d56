import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { apply } from '../../src/run/apply.ts'
import { messageTokens } from '../../src/run/decide/prompt-tokens.ts'
import type { RunEvent } from '../../src/run/event.ts'
import { initialState } from '../../src/run/initial-state.ts'
import type { RunState } from '../../src/run/state.ts'
import type { StateMessage } from '../../src/spec/aaif/generated/state.ts'
import { captureMessages } from '../../src/state/capture-messages.ts'
import { ConversationOutline, conversationOf } from '../../src/state/conversation-outline.ts'
import { openResults } from '../../src/state/open-results.ts'
import { OUTLINE_MEMBER, sentOutline } from '../../src/state/sent-outline.ts'
import { ROOT } from '../run/family-world.ts'
import { plainState } from './captured.ts'
import { WORLDS, worldOf } from './captured-worlds.ts'
import { recordedWrites } from './recorded-writes-of.ts'

const HEADER = { run_id: ROOT, agent_id: 'a', plan_hash: 'p', rehearsal: false }

const usage = { input_tokens: 1, output_tokens: 1 }
const said = (seq: number, text: string): RunEvent =>
  ({ seq, at: 1000 * seq, fact: { type: 'user.said', input: text }, decision: {} }) as unknown as RunEvent
const answered = (seq: number, text: string, calls: readonly object[] = []): RunEvent =>
  ({
    seq,
    at: 1000 * seq,
    fact: { type: 'model.answered', message: { role: 'assistant', text, calls }, usage },
    decision: {},
  }) as unknown as RunEvent
const rolledBack = (seq: number): RunEvent =>
  ({
    seq,
    at: 1000 * seq,
    fact: { type: 'turn.interrupted', how: 'rollback', by: 'ada' },
    decision: { end: { status: 'cancelled', stop_reason: 'interrupted' } },
  }) as unknown as RunEvent

/** Turns of which the second and the fourth were rolled back. */
const ROLLED_BACK: readonly RunEvent[] = [
  said(1, 'one'),
  answered(2, 'first', [{ id: 'c1', tool: 'look', args: {} }]),
  said(3, 'two'),
  answered(4, 'second', [
    { id: 'c2', tool: 'look', args: {} },
    { id: 'c3', tool: 'look', args: { deep: true } },
    { id: 'c4', tool: 'look', args: {} },
  ]),
  rolledBack(5),
  said(6, 'three'),
  answered(7, 'third'),
  said(8, 'four'),
  rolledBack(9),
  said(10, 'five'),
  answered(11, 'fifth', [
    { id: 'c5', tool: 'look', args: {} },
    { id: 'c6', tool: 'send', args: {} },
  ]),
  said(12, 'six'),
]

async function* parts(events: readonly RunEvent[], size: number): AsyncGenerator<readonly RunEvent[]> {
  for (let from = 0; from < events.length; from += size) yield events.slice(from, from + size)
}

async function streamed(
  events: readonly RunEvent[],
  outline: ConversationOutline,
  header: typeof HEADER,
  size: number,
): Promise<readonly StateMessage[]> {
  const all: StateMessage[] = []
  for (const tokens of [outline.tokens, undefined]) {
    all.length = 0
    for await (const part of conversationOf(
      header,
      parts(events, size),
      outline.cuts,
      tokens,
      outline.openResults,
    )) {
      assert.ok(part.length > 0)
      all.push(...part)
    }
  }
  return all
}

/** Compares an outline after each event with the state that has the texts. */
async function assertSame(events: readonly RunEvent[], header: typeof HEADER): Promise<void> {
  const outline = new ConversationOutline(header)
  let state: RunState = initialState(header.run_id, header.agent_id, header.plan_hash)
  for (const [n, event] of events.entries()) {
    state = apply(state, event)
    outline.add(event)
    const closed = captureMessages(state.messages, state.message_times)
    const open = openResults(state, closed.conversation.length)
    const conversation = [...closed.conversation, ...open.conversation]
    const carried = [...closed.carried, ...open.carried]
    const so = events.slice(0, n + 1)
    assert.deepEqual(await streamed(so, outline, header, 1 + (n % 4)), conversation, `after ${event.seq}`)
    assert.deepEqual(outline.captured, { conversation: [], carried })
    const messages = state.messages.toArray()
    assert.deepEqual(outline.tokens, messages.map(messageTokens))
    assert.equal(outline.sent.roles, messages.map(({ role }) => role[0]).join(''))
    const without = (one: RunState) => ({ ...plainState(one), messages: one.messages.length })
    assert.deepEqual(without(outline.state), without(state))
    const { writes, agents } = recordedWrites(header, so)
    assert.deepEqual([outline.recorded.writes, outline.recorded.agents], [writes, agents])
    assert.equal(outline.recorded.state, outline.state)
  }
}

describe('a run whose conversation stays in its record', () => {
  for (const name of Object.keys(WORLDS))
    test(`${name}: is captured as one that is read as a whole`, async (t) => {
      const world = await worldOf(t, name)
      await world.start()
      const { plan, hash } = world.program
      await assertSame(world.events(), { ...HEADER, agent_id: plan.agent_id, plan_hash: hash })
    })

  test('what was rolled back is not sent', async () => {
    await assertSame(ROLLED_BACK, HEADER)
    const outline = new ConversationOutline(HEADER)
    for (const event of ROLLED_BACK) outline.add(event)
    assert.equal(outline.cuts.length, 2)
    const texts = (await streamed(ROLLED_BACK, outline, HEADER, 3)).map(({ content }) => content)
    assert.deepEqual(
      texts.filter((text) => ['one', 'two', 'three', 'four', 'five'].includes(text)),
      ['one', 'three', 'five'],
    )
  })

  test('the texts are not kept', () => {
    const outline = new ConversationOutline(HEADER)
    outline.add(said(1, 'a text that is not kept'))
    assert.doesNotMatch(JSON.stringify([outline.state.messages, outline.sent, outline.captured]), /not kept/)
  })
})

describe('an outline that was sent', () => {
  const state = (member: unknown) => ({ [OUTLINE_MEMBER]: member }) as never
  test('is read only if it is complete', () => {
    const good = { roles: 'uat', tokens: [1, 0, 3] }
    assert.deepEqual(sentOutline(state(good)), good)
    assert.deepEqual(sentOutline(state({ roles: '', tokens: [] })), { roles: '', tokens: [] })
    for (const bad of [
      undefined,
      null,
      'uat',
      [],
      {},
      { ...good, roles: 'uas' },
      { ...good, roles: 3 },
      { ...good, roles: 'ua' },
      { ...good, tokens: [1, 2] },
      { ...good, tokens: 3 },
      { ...good, tokens: [1, 2, '3'] },
      { ...good, tokens: [1, 2, -1] },
      { ...good, tokens: [1, 2, 1.5] },
    ])
      assert.equal(sentOutline(state(bad)), undefined, JSON.stringify(bad))
  })
})
