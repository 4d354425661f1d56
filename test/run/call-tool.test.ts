import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { callTool } from '../../src/run/drive/call-tool.ts'
import type { EffectContext } from '../../src/run/drive/effect-context.ts'
import type { Fact } from '../../src/run/event.ts'
import type { HookAnswer } from '../../src/run/ports.ts'
import type { CallEntry } from '../../src/run/state.ts'
import { RunTrace } from '../../src/run/trace/run-trace.ts'
import { answered, START, stateAfter } from './core.ts'
import { calls, fakeClock, programOf } from './fixture.ts'

const SENT = stateAfter(programOf({ events: { on_tool_call: 'guard' } }), [
  START,
  answered(1, calls(['a', 'send', { x: 1 }])),
])
const CALL = SENT.calls[0] as CallEntry

/** Calls the tool; `log` holds the events in order, and `record` settles when the test says so. */
function calling({
  hook = { ok: true },
  isWithdrawn = false,
}: {
  hook?: HookAnswer
  isWithdrawn?: boolean
} = {}) {
  const log: string[] = []
  const recorded = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const context: EffectContext = {
    program: programOf({ events: { on_tool_call: 'guard' } }),
    state: SENT,
    ports: {
      clock: fakeClock(),
      model: { ask: () => assert.fail('no model is asked') },
      hooks: {
        run: async () => {
          log.push('hook')
          return hook
        },
      },
      tools: {
        call: async () => {
          log.push('tool')
          return 'sent'
        },
      },
      sink: { append: () => {} },
      ask: () => null,
    } as unknown as EffectContext['ports'],
    signal: new AbortController().signal,
    isWithdrawn,
    begun: begun.promise,
    trace: new RunTrace(SENT),
    partial: () => {},
    calling: () => {},
    onText: undefined,
    record: (fact: Fact) => {
      log.push(`record ${fact.type}`)
      return recorded.promise
    },
    control: () => {},
  }
  return { log, begun, recorded, fact: callTool(CALL, context) }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('AAIF §4.7 on_tool_call', () => {
  test('a call is sent only after on_start was called and the permission of its hook is on record', async () => {
    const { log, begun, recorded, fact } = calling()
    await turn()
    assert.deepEqual(log, [])
    begun.resolve()
    await turn()
    assert.deepEqual(log, ['hook', 'record hook.ran'])
    recorded.resolve()
    assert.equal((await fact)?.type, 'call.answered')
    assert.deepEqual(log, ['hook', 'record hook.ran', 'tool'])
  })

  test('a call whose hook cannot be recorded is not sent', async () => {
    const { log, begun, recorded, fact } = calling()
    begun.resolve()
    recorded.reject(new Error('disk full'))
    await assert.rejects(fact, /disk full/)
    assert.deepEqual(log, ['hook', 'record hook.ran'])
  })

  for (const [what, options, code] of [
    ['its hook refused', { hook: { ok: true, veto: 'not today' } }, 'TOOL_VETOED'],
    ['its hook failed', { hook: { ok: false, message: 'broken' } }, 'TOOL_VETOED'],
    ['the run is about to end', { isWithdrawn: true }, 'CANCELLED'],
  ] as const) {
    test(`a call is not sent when ${what}`, async () => {
      const { log, begun, recorded, fact } = calling(options)
      begun.resolve()
      recorded.resolve()
      const failed = await fact
      assert.ok(failed?.type === 'call.failed')
      assert.deepEqual([failed.code, failed.outcome], [code, 'unsent'])
      assert.ok(!log.includes('tool'))
    })
  }
})
