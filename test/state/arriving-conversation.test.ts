import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { messageTokens } from '../../src/run/decide/prompt-tokens.ts'
import type { Message } from '../../src/run/state.ts'
import { FittedConversation, WholeConversation } from '../../src/state/arriving-conversation.ts'
import { messagesThatFit } from '../../src/state/fit-window.ts'
import { MESSAGES_PER_EVENT, MessageParts } from '../../src/state/message-parts.ts'
import type { RestoredMessages } from '../../src/state/restore-messages.ts'

const message = (words: number, role: Message['role'], n: number): Message => {
  const text = `${'word '.repeat(words)}${n}`
  if (role === 'tool') return { role, call_id: String(n), tool: 't', result: text }
  return role === 'user' ? { role, text } : { role, text, calls: [] }
}

const messages = fc
  .array(fc.tuple(fc.nat(12), fc.constantFrom<Message['role']>('user', 'assistant', 'tool', 'tool')), {
    maxLength: 60,
  })
  .map((list) => list.map(([words, role], n) => message(words, role, n)))

const partOf = (all: readonly Message[], from: number, to: number): RestoredMessages => ({
  messages: all.slice(from, to),
  times: all.slice(from, to).map((_, n) => from + n),
})

describe('a conversation that arrives', () => {
  test('keeps what fits the window, exactly as if it were known as a whole (AAIF-8.1-07)', async () => {
    await fc.assert(
      fc.asyncProperty(
        messages,
        fc.nat(200),
        fc.nat(20),
        fc.integer({ min: 1, max: 9 }),
        async (all, window, fixed, size) => {
          const arriving = new FittedConversation(window, fixed)
          for (let from = 0; from < all.length; from += size)
            await arriving.add(partOf(all, from, from + size))
          const wanted = messagesThatFit(all, window, fixed)
          assert.deepEqual(arriving.arrived(), {
            length: all.length,
            cut: all.length - wanted.length,
            stored: 0,
            kept: { messages: wanted.map((at) => all[at]), times: wanted },
          })
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('forgets what cannot fit: a long conversation takes no more memory than a short one', async () => {
    const arriving = new FittedConversation(1000, 0)
    const forgotten: WeakRef<Message>[] = []
    for (let n = 0; n < 20_000; n++) {
      const one = message(20, n % 2 === 0 ? 'user' : 'assistant', n)
      if (n % 1000 === 0) forgotten.push(new WeakRef(one))
      await arriving.add({ messages: [one], times: [n] })
    }
    const { length, kept } = arriving.arrived()
    assert.equal(length, 20_000)
    assert.ok(kept.messages.reduce((sum, one) => sum + messageTokens(one), 0) <= 1000)
    const { default: v8 } = await import('node:v8')
    v8.setFlagsFromString('--expose-gc')
    const { runInNewContext } = await import('node:vm')
    await new Promise((resolve) => setTimeout(resolve, 1))
    runInNewContext('gc')()
    assert.deepEqual(
      forgotten.slice(0, 18).filter((one) => one.deref() !== undefined),
      [],
    )
  })

  test('is stored in events of 200 messages while it arrives, and the rest is kept', async () => {
    for (const count of [0, 1, MESSAGES_PER_EVENT - 1, MESSAGES_PER_EVENT, MESSAGES_PER_EVENT + 1, 1000]) {
      const all = Array.from({ length: count }, (_, n) => message(1, 'user', n))
      const stored: RestoredMessages[] = []
      const arriving = new WholeConversation(async (part) => {
        await Promise.resolve()
        stored.push(part)
      })
      for (let from = 0; from < count; from += 70)
        await arriving.add(partOf(all, from, Math.min(count, from + 70)))
      const { length, cut, kept, stored: number } = arriving.arrived()
      assert.deepEqual([length, cut, number], [count, 0, Math.floor(count / MESSAGES_PER_EVENT)])
      assert.deepEqual(
        stored.map((part) => [part.messages.length, part.times.length]),
        Array(number).fill([MESSAGES_PER_EVENT, MESSAGES_PER_EVENT]),
      )
      assert.deepEqual(
        [...stored, kept].flatMap((part) => part.messages),
        all,
      )
      assert.deepEqual(
        [...stored, kept].flatMap((part) => part.times),
        all.map((_, n) => n),
      )
    }
  })

  test('is stored in more events if its texts are long', () => {
    const long: Record<Message['role'], Message> = {
      user: { role: 'user', text: 'x'.repeat(1024) },
      assistant: { role: 'assistant', text: 'x'.repeat(1024), calls: [] },
      tool: { role: 'tool', call_id: 'c', tool: 't', result: 'x'.repeat(1024) },
    }
    const nested: Message = { role: 'tool', call_id: 'c', tool: 't', result: { a: 'x'.repeat(1024 - 8) } }
    for (const one of [...Object.values(long), nested]) {
      const parts = new MessageParts()
      const full = Array.from({ length: 200 }, (_, n) => parts.add(one, n)?.times)
      // 64 K characters are 64 of these.
      assert.deepEqual(
        full.flatMap((times, n) => (times === undefined ? [] : [[n, times.length]])),
        [
          [63, 64],
          [127, 64],
          [191, 64],
        ],
        JSON.stringify(one).slice(0, 60),
      )
      assert.equal(parts.take().messages.length, 8)
      assert.equal(parts.take().messages.length, 0)
    }
  })

  test('is not taken faster than it is stored', async () => {
    const waiting: (() => void)[] = []
    const arriving = new WholeConversation(() => new Promise((resolve) => waiting.push(resolve)))
    const all = Array.from({ length: 2 * MESSAGES_PER_EVENT }, (_, n) => message(1, 'user', n))
    let isTaken = false
    const taken = arriving.add(partOf(all, 0, all.length)).then(() => {
      isTaken = true
    })
    for (let stored = 1; stored <= 2; stored++) {
      await new Promise((resolve) => setImmediate(resolve))
      assert.deepEqual([isTaken, waiting.length], [false, stored])
      waiting.at(-1)?.()
    }
    await taken
  })
})
