import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import type { JsonObject } from '../../src/document/json.ts'
import type { HookName } from '../../src/plan/plan.ts'
import { drive } from '../../src/run/drive/drive.ts'
import type { DriveOptions } from '../../src/run/drive/drive-ports.ts'
import { initialState } from '../../src/run/initial-state.ts'
import type { ModelPort } from '../../src/run/ports.ts'
import { calls, modelOf, portsOf, programOf, text, toolsOf } from './fixture.ts'

interface Given extends DriveOptions {
  readonly audit?: boolean
  readonly agent?: JsonObject
}

/** A run whose record is slow: each append waits until the test lets it pass. */
function slowlyRecorded(model: ModelPort, { audit = false, agent = {}, ...options }: Given = {}) {
  const compiled = programOf(agent)
  const program = { ...compiled, plan: { ...compiled.plan, audit } }
  const waiting: { readonly facts: readonly string[]; readonly settle: (error?: Error) => void }[] = []
  const tools = toolsOf({ look: () => 'seen', send: () => 'sent' })
  const hooks: HookName[] = []
  const ports = portsOf(model, tools, {
    hooks: {
      async run({ hook }) {
        hooks.push(hook)
        return { ok: true }
      },
    },
    sink: {
      append: (events) => {
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        const facts = events.map(({ fact }) => fact.type)
        waiting.push({ facts, settle: (error) => (error === undefined ? resolve() : reject(error)) })
        return promise
      },
    },
  })
  const state = initialState('run-1', program.plan.agent_id, program.hash)
  const over = drive(program, state, { type: 'run.started', input: 'go' }, ports, options)
  over.catch(() => {})
  return {
    over,
    hooks,
    made: tools.made,
    /** The facts of the appends that wait. */
    waits: async () => {
      await turnOfEventLoop()
      return waiting.map(({ facts }) => facts.join())
    },
    /** Settles the first append that waits. */
    next: (error?: Error) => waiting.shift()?.settle(error),
  }
}

describe('a question to a model and the record of the answers before it', () => {
  test('the question is asked at once; the call that follows waits for both', async () => {
    const model = modelOf(calls(['a', 'look', { x: 1 }]), calls(['b', 'send', { x: 1 }]), text('done'))
    const shown: string[] = []
    const run = slowlyRecorded(model, { onEvent: ({ fact }) => shown.push(fact.type) })
    assert.deepEqual(await run.waits(), ['run.started'])
    assert.equal(model.requests.length, 0)
    run.next()
    assert.deepEqual(await run.waits(), ['model.answered'])
    assert.equal(run.made.length, 0)
    run.next()
    assert.deepEqual(await run.waits(), ['call.answered', 'model.answered'])
    assert.equal(model.requests.length, 2)
    assert.deepEqual(shown, ['run.started', 'model.answered'])
    run.next()
    assert.deepEqual(await run.waits(), ['model.answered'])
    assert.deepEqual(shown.slice(2), ['call.answered'])
    assert.equal(run.made.length, 1)
    run.next()
    await run.waits()
    assert.equal(run.made.length, 2)
    run.next()
    run.next()
    assert.equal((await run.over).end?.output, 'done')
  })

  test('no call is sent after an append that failed', async () => {
    const model = modelOf(calls(['a', 'look', { x: 1 }]), calls(['b', 'send', { x: 1 }]), text('done'))
    const run = slowlyRecorded(model)
    for (let i = 0; i < 2; i++) {
      await run.waits()
      run.next()
    }
    assert.deepEqual(await run.waits(), ['call.answered', 'model.answered'])
    const full = new Error('no space left on device')
    run.next(full)
    run.next(new Error('another worker has the run'))
    await assert.rejects(run.over, (error) => error === full)
    assert.equal(run.made.length, 1)
  })

  test('text is shown after the events before it', async () => {
    const shown: string[] = []
    const answers = [calls(['a', 'look', { x: 1 }]), text('done')]
    const run = slowlyRecorded(
      {
        async ask(_request, { onText }) {
          const answer = answers.shift() ?? text('')
          for (const letter of answer.message.text) onText?.(letter)
          return answer
        },
      },
      { onEvent: ({ fact }) => shown.push(fact.type), onText: (delta) => shown.push(delta) },
    )
    for (let i = 0; i < 2; i++) {
      await run.waits()
      run.next()
    }
    assert.deepEqual(await run.waits(), ['call.answered', 'model.answered'])
    assert.deepEqual(shown, ['run.started', 'model.answered'])
    run.next()
    await run.waits()
    assert.deepEqual(shown.slice(2), ['call.answered', ...'done'])
    run.next()
    await run.over
    assert.equal(shown.at(-1), 'model.answered')
  })

  test('AAIF-4.9-08: an audited question waits for its audit entry', async () => {
    const model = modelOf(calls(['a', 'look', { x: 1 }]), text('done'))
    const run = slowlyRecorded(model, { audit: true })
    for (let i = 0; i < 2; i++) {
      await run.waits()
      run.next()
    }
    assert.deepEqual(await run.waits(), ['call.answered'])
    assert.equal(model.requests.length, 1)
    run.next()
    await run.waits()
    assert.equal(model.requests.length, 2)
    run.next()
    await run.over
  })

  test('an answer that ends the run is on record before the end hook is called', async () => {
    const model = modelOf(calls(['a', 'look', { x: 1 }]))
    const agent = { orchestration: { max_iterations: 1 }, events: { on_error: 'broke' } }
    const run = slowlyRecorded(model, { agent })
    for (let i = 0; i < 2; i++) {
      await run.waits()
      run.next()
    }
    assert.deepEqual(await run.waits(), ['call.answered'])
    assert.deepEqual(run.hooks, [])
    run.next()
    assert.deepEqual(await run.waits(), ['hook.ran'])
    assert.deepEqual(run.hooks, ['on_error'])
    run.next()
    await run.over
  })
})
