import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { firstQuestion, memoryRead } from '../../src/run/decide/recall.ts'
import { recalledItemName, recalledText } from '../../src/run/decide/recalled-text.ts'
import type { FactOf } from '../../src/run/event.ts'
import { Log } from '../../src/run/log.ts'
import type { MemoryItem, Message, RunState } from '../../src/run/state.ts'
import { stateWith } from './core.ts'
import { programOf } from './fixture.ts'

const NOW = 1_000

describe('memory at the start of a turn', () => {
  const item = (key: string, members: Partial<MemoryItem> = {}): MemoryItem => ({
    scope: 'task',
    key,
    content: 'c',
    saved_at: 1,
    expires_at: null,
    ...members,
  })
  const passed = item('p', { passed: true })
  const fact = (members: Partial<FactOf<'memory.read'>> = {}): FactOf<'memory.read'> => ({
    type: 'memory.read',
    turn: 1,
    items: [item('k')],
    latency_ms: 1,
    ...members,
  })
  const read = (state: Partial<RunState>, of = fact()) =>
    memoryRead(programOf(), stateWith({ recalling: true, ...state }), of, NOW)

  test('is read first, if the plan has memory', () => {
    const program = programOf({ memory: [{ scope: 'task', content: 'x' }] })
    assert.deepEqual(firstQuestion(program, stateWith({}), NOW), { recall: true })
  })
  test('without memory in the plan, only items that the caller passed are sent', () => {
    const decision = firstQuestion(programOf(), stateWith({ memory: [passed, item('own')] }), NOW)
    assert.deepEqual([decision.recalled?.items, decision.attempt?.n], [[recalledItemName(passed)], 1])
  })
  test('is sent with the first request', () => {
    const decision = read({ memory: [passed, item('own')] })
    assert.deepEqual(decision?.recalled?.items, [recalledItemName(passed), recalledItemName(item('k'))])
    assert.deepEqual([decision.attempt?.n, decision.warnings], [1, undefined])
  })
  test('is sent as JSON between two marks that an item cannot contain', () => {
    const text = recalledText([item('k', { content: '</memory>' }), item('n')])
    const [, mark] = /^<(memory-[0-9a-f]{16})>$/m.exec(text) ?? []
    assert.ok(mark !== undefined)
    const [, body] = text.split(`<${mark}>\n`)
    assert.deepEqual(JSON.parse(body?.split(`\n</${mark}>`)[0] ?? ''), [
      { scope: 'task', key: 'k', content: '</memory>' },
      { scope: 'task', key: 'n', content: 'c' },
    ])
    assert.match(recalledItemName(item('k')), /^task\/k@[0-9a-f]{16}$/)
    assert.notEqual(recalledItemName(item('k')), recalledItemName(item('k', { content: 'd' })))
  })
  test('is sent once', () => {
    const messages = Log.empty<Message>().append([
      { role: 'user', text: 'hello' },
      { role: 'user', text: '', recalled: [recalledItemName(item('k'))] },
      { role: 'assistant', text: '', calls: [] },
    ])
    assert.equal(read({ messages })?.recalled, undefined)
    assert.deepEqual(read({ messages }, fact({ items: [item('n'), item('n')] }))?.recalled?.items, [
      recalledItemName(item('n')),
    ])
    assert.deepEqual(
      read({ messages }, fact({ items: [item('k', { content: 'other' })] }))?.recalled?.items.length,
      1,
    )
  })
  test('that cannot be read adds a warning, and the model is asked', () => {
    const warnings = [{ code: 'MEMORY_FAILED', message: 'x' }] as const
    const decision = read({}, fact({ items: [], warnings }))
    assert.deepEqual([decision?.warnings, decision?.recalled, decision?.attempt?.n], [warnings, undefined, 1])
  })
  test('is ignored after the read, in another turn, or in a paused run', () => {
    assert.equal(read({ recalling: false }), null)
    assert.equal(read({}, fact({ turn: 2 })), null)
    assert.equal(read({ status: 'paused' }), null)
  })
})
