import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { decide } from '../../src/run/decide/decide.ts'
import type { Control } from '../../src/run/drive/drive-ports.ts'
import { ToolFailure } from '../../src/run/ports.ts'
import { resultOf } from '../../src/run/result.ts'
import type { RunState } from '../../src/run/state.ts'
import { agent } from './family.ts'
import { FamilyWorld, ROOT, type Sent, settle, type WorldOptions } from './family-world.ts'
import { calls } from './fixture.ts'

const DRAIN_MS = 4000
const SEND = { name: 'send', description: 'Sends.', protocol: 'function' }
const subagents = (...names: string[]) => names.map((name) => ({ ref: name, alias: name }))

/** A call that was sent, and whose outcome the test decides. */
interface Left extends Sent {
  readonly signal: AbortSignal
  readonly answer: (result: Json) => void
  readonly fail: (error: Error) => void
}

interface Scene {
  readonly definitions: readonly JsonObject[]
  readonly says: WorldOptions['says']
  /** Makes the run end while `send` is in flight. */
  readonly end: (world: FamilyWorld, control: Control, win: () => void) => void
  readonly comesTo: { readonly status: string; readonly code?: string; readonly output?: Json }
  /** The agent that makes the call. */
  readonly caller?: string
}

const sends = (who: string) => (request: { readonly messages: readonly { readonly role: string }[] }) =>
  request.messages.some(({ role }) => role === 'tool')
    ? `${who} sent`
    : calls([`call-${who}`, 'send', { who }])
const hangs = () => new Promise<never>(() => {})
const TIMED = { runtime: { max_retries: 0, timeout_seconds: 60 } }

let win = () => {}

const SCENES: Readonly<Record<string, Scene>> = {
  'a deadline': {
    definitions: [agent('s', { tools: [SEND], ...TIMED })],
    says: { s: sends('s') },
    end: ({ clock }) => clock.advance(60_000),
    comesTo: { status: 'failed', code: 'TIMEOUT' },
  },
  'a cancellation': {
    definitions: [agent('s', { tools: [SEND] })],
    says: { s: sends('s') },
    end: (_world, control) => control.cancel('a test'),
    comesTo: { status: 'cancelled', code: 'CANCELLED' },
  },
  'the deadline of a pipeline': {
    definitions: [
      agent('p', { orchestration: { subagents: subagents('s'), pipeline: ['s'] }, ...TIMED }),
      agent('s', { tools: [SEND] }),
    ],
    says: { s: sends('s') },
    end: ({ clock }) => clock.advance(60_000),
    comesTo: { status: 'failed', code: 'TIMEOUT' },
    caller: 's',
  },
  'the cancellation of a pipeline': {
    definitions: [
      agent('p', { orchestration: { subagents: subagents('s'), pipeline: ['s'] } }),
      agent('s', { tools: [SEND] }),
    ],
    says: { s: sends('s') },
    end: (_world, control) => control.cancel('a test'),
    comesTo: { status: 'cancelled', code: 'CANCELLED' },
    caller: 's',
  },
  'a lost race': {
    definitions: [
      agent('r', {
        orchestration: {
          subagents: subagents('fast', 's'),
          parallel_execution: true,
          consensus: { strategy: 'first_success' },
        },
      }),
      agent('fast'),
      agent('s', { tools: [SEND] }),
    ],
    says: {
      s: sends('s'),
      fast: () =>
        new Promise((resolve) => {
          win = () => resolve('first')
        }),
    },
    end: () => win(),
    comesTo: { status: 'completed', output: 'first' },
    caller: 's',
  },
  'the deadline of a delegating agent': {
    definitions: [
      agent('d', {
        orchestration: { subagents: [{ ref: 's', alias: 's' }] },
        ...TIMED,
      }),
      agent('s', { tools: [SEND] }),
    ],
    says: { d: () => calls(['hand', 'ask_s', { task: 'send it' }]), s: sends('s') },
    end: ({ clock }) => clock.advance(60_000),
    comesTo: { status: 'failed', code: 'TIMEOUT' },
    caller: 's',
  },
}

/** A run whose `send` is in flight, and whose end has been decided. */
async function atItsEnd(t: TestContext, { definitions, says, end }: Scene) {
  const left: Left[] = []
  const world = await FamilyWorld.open(t, definitions, {
    says,
    tools: {
      send: (sent, signal) =>
        new Promise((answer, fail) => {
          left.push({ ...sent, signal, answer, fail })
          signal.addEventListener('abort', () => fail(new ToolFailure('TOOL_TIMEOUT', 'cut off', 'unknown')))
        }),
    },
  })
  let control: Control | undefined
  let over = false
  const ended = world
    .start({
      drainMs: DRAIN_MS,
      control: (given) => {
        control = given
      },
    })
    .finally(() => {
      over = true
    })
  await settle()
  const [call] = left
  assert.ok(call !== undefined && control !== undefined, 'the call has left')
  end(world, control, win)
  await settle()
  return { world, ended, call, control, isOver: () => over }
}

function assertEnded(world: FamilyWorld, state: RunState, { comesTo }: Scene): void {
  const result = resultOf(world.program.plan, state)
  assert.equal(result.status, comesTo.status)
  assert.equal(result.error?.code, comesTo.code)
  if (comesTo.output !== undefined) assert.equal(result.output, comesTo.output)
  assert.equal(state.ending, null)
  assert.ok(!result.warnings.some(({ code }) => code === 'CALL_UNSETTLED'))
  assert.deepEqual(plain(world.stateOf(ROOT)), plain(state))
}

/** Returns the content of a state for comparison: a log shows its items in JSON only. */
function plain(state: RunState): unknown {
  return JSON.parse(JSON.stringify(state))
}

function timesUnknown(world: FamilyWorld, { caller }: Scene): number {
  const events = world.events(caller === undefined ? ROOT : world.runOf(caller))
  return events.filter(({ decision }) => decision.set?.['call-s'] === 'unknown').length
}

function assertWaits(world: FamilyWorld, state: RunState, scene: Scene): void {
  const result = resultOf(world.program.plan, state)
  assert.equal(result.status, 'awaiting_approval')
  const warning = result.warnings.find(({ code }) => code === 'CALL_UNSETTLED')
  assert.match(warning?.message ?? '', new RegExp(scene.comesTo.code ?? scene.comesTo.status))
  assert.match(warning?.message ?? '', scene.caller === undefined ? /send \(call call-s\)/ : /sub-agent s /)
  const asker = world.stateOf(scene.caller === undefined ? ROOT : world.runOf(scene.caller))
  assert.equal(asker.end, null)
  assert.equal(asker.status, 'waiting')
  assert.deepEqual(
    asker.calls.map(({ id, status }) => [id, status]),
    [['call-s', 'unknown']],
  )
}

const FATES: Readonly<Record<string, (call: Left, world: FamilyWorld) => void>> = {
  'is answered': ({ answer }) => answer('done'),
  'fails, as the tool says': ({ fail }) => fail(new ToolFailure('TOOL_ERROR', 'there is none', 'answered')),
  'never left': ({ fail }) => fail(new ToolFailure('TOOL_UNREACHABLE', 'no connection', 'unsent')),
}

const UNKNOWN: Readonly<Record<string, (call: Left, world: FamilyWorld) => void>> = {
  'fails with an unknown outcome': ({ fail }) =>
    fail(new ToolFailure('TOOL_TIMEOUT', 'connection cut', 'unknown')),
  'is not answered in time': (_call, { clock }) => clock.advance(DRAIN_MS),
}

for (const [name, scene] of Object.entries(SCENES)) {
  describe(`${name} while a call that must not be repeated is in flight`, () => {
    test('delays the end, aborts no call that was sent, and starts none', async (t) => {
      const { world, call, isOver } = await atItsEnd(t, scene)
      const asked = world.asked.length
      await settle()
      assert.equal(isOver(), false)
      assert.equal(call.signal.aborted, false)
      assert.equal(world.stateOf(ROOT).ending?.end.status, scene.comesTo.status)
      assert.equal(world.stateOf(ROOT).end, null)
      assert.equal(world.asked.length, asked)
      assert.equal(world.sent.length, 1)
      world.clock.advance(DRAIN_MS - 1)
      await settle()
      assert.equal(isOver(), false)
    })

    for (const [fate, becomes] of Object.entries(FATES)) {
      test(`the run ends when the call ${fate}`, async (t) => {
        const { world, ended, call } = await atItsEnd(t, scene)
        becomes(call, world)
        const state = await ended
        assertEnded(world, state, scene)
        assert.equal(world.sent.length, 1)
        const caller = world.events(scene.caller === undefined ? ROOT : world.runOf(scene.caller))
        assert.ok(caller.some(({ fact }) => 'call_id' in fact && fact.call_id === 'call-s'))
      })
    }

    for (const [fate, becomes] of Object.entries(UNKNOWN)) {
      for (const verdict of ['assume', 'deny', 'resend'] as const) {
        test(`a person is asked if the call ${fate}; ${verdict} lets the run end`, async (t) => {
          const { world, ended, call } = await atItsEnd(t, scene)
          becomes(call, world)
          assertWaits(world, await ended, scene)
          await settle()
          assert.equal(timesUnknown(world, scene), 1)
          const next = world.die({ tools: { send: () => 'sent again' } })
          // No decision was made, so the run still waits.
          assertWaits(next, await next.resume({ drainMs: DRAIN_MS }), scene)
          next.decide = ({ id }) => ({ type: 'person.decided', call_id: id, verdict, by: 'ann' })
          assertEnded(next, await next.resume({ drainMs: DRAIN_MS }), scene)
          assert.equal(next.sent.length, verdict === 'resend' ? 2 : 1)
          assert.equal(new Set(next.sent.map(({ key }) => key)).size, 1)
        })
      }
    }

    test('after a crash the end is still due, and a person is asked', async (t) => {
      const { world } = await atItsEnd(t, scene)
      const next = world.die()
      assertWaits(next, await next.resume({ drainMs: DRAIN_MS }), scene)
      next.decide = ({ id }) => ({ type: 'person.decided', call_id: id, verdict: 'assume', by: 'ann' })
      assertEnded(next, await next.resume({ drainMs: DRAIN_MS }), scene)
      assert.equal(next.sent.length, 1)
    })

    test('an answer after the drain time is recorded while the run is driven', async (t) => {
      const { world, ended, call } = await atItsEnd(t, scene)
      let asked = 0
      world.decide = () => {
        asked++
        call.answer('late')
        return null
      }
      world.clock.advance(DRAIN_MS)
      const state = await ended
      await settle()
      assert.equal(asked, 1)
      // Either the drive was over, or the answer settled the call; it is never lost while it is reported as done.
      if (state.end !== null) assertEnded(world, state, scene)
      else assertWaits(world, state, scene)
    })
  })
}

describe('a held end', () => {
  const scene = SCENES['a deadline'] as Scene

  test('is not changed by a second deadline, a cancellation, or a message to the turn', async (t) => {
    const { world, ended, call, control } = await atItsEnd(t, scene)
    const seen = world.events().length
    world.clock.advance(1)
    control.submit({ type: 'deadline.passed' })
    control.cancel('a test')
    control.steer('and then?')
    await settle()
    assert.equal(world.events().length, seen)
    call.answer('done')
    assertEnded(world, await ended, scene)
  })

  test('aborts calls that only read at once, without a question to a person', async (t) => {
    const aborted: string[] = []
    const world = await FamilyWorld.open(
      t,
      [
        agent('s', {
          tools: [SEND, { name: 'look', description: 'Looks.', protocol: 'function' }],
          ...TIMED,
        }),
      ],
      {
        says: { s: () => calls(['a', 'look', { who: 's' }], ['b', 'look', { who: 's' }]) },
        reads: ['look'],
        tools: {
          send: () => 0,
          look: (_sent, signal) =>
            new Promise(() => signal.addEventListener('abort', () => aborted.push('look'))),
        },
      },
    )
    const ended = world.start({ drainMs: DRAIN_MS })
    await settle()
    world.clock.advance(60_000)
    const state = await ended
    assert.equal(state.end?.error?.code, 'TIMEOUT')
    assert.ok(!world.events().some(({ decision }) => decision.ending !== undefined))
    await settle()
    assert.deepEqual(aborted, ['look', 'look'])
  })

  test('a call that was not allowed yet is not sent any more', async (t) => {
    let allow = () => {}
    const world = await FamilyWorld.open(
      t,
      [agent('s', { tools: [SEND], events: { on_tool_call: 'guard' }, ...TIMED })],
      {
        says: { s: () => calls(['a', 'send', { who: 's' }], ['b', 'send', { who: 's' }]) },
        tools: { send: hangs },
        hooks: {
          guard: ({ call }) =>
            call?.call_id === 'a'
              ? { ok: true }
              : new Promise((resolve) => {
                  allow = () => resolve({ ok: true })
                }),
        },
      },
    )
    const ended = world.start({ drainMs: DRAIN_MS })
    await settle()
    assert.equal(world.sent.length, 1)
    world.clock.advance(60_000)
    await settle()
    allow()
    await settle()
    assert.equal(world.sent.length, 1)
    world.clock.advance(DRAIN_MS)
    const state = await ended
    assert.deepEqual(
      state.calls.map(({ id, status }) => [id, status]),
      [
        ['a', 'unknown'],
        ['b', 'done'],
      ],
    )
  })

  test('a call that is allowed at the moment of the end is not sent any more', async (t) => {
    let allow = () => {}
    const world = await FamilyWorld.open(
      t,
      [agent('s', { tools: [SEND], events: { on_tool_call: 'guard' }, ...TIMED })],
      {
        says: { s: () => calls(['a', 'send', { who: 's' }], ['b', 'send', { who: 's' }]) },
        tools: { send: hangs },
        hooks: {
          guard: ({ call }) =>
            call?.call_id === 'a'
              ? { ok: true }
              : new Promise((resolve) => {
                  allow = () => resolve({ ok: true })
                }),
        },
      },
    )
    world.beforeAppend = async (_run, n) => {
      if (n !== 3) return
      // While the permission of the first call is being recorded.
      await settle(1)
      allow()
      await settle(1)
      world.clock.advance(60_000)
    }
    const ended = world.start({ drainMs: DRAIN_MS })
    await settle()
    world.clock.advance(DRAIN_MS)
    const state = await ended
    // If the first call was sent before the end was decided, the end waits for it.
    assert.ok(
      world.sent.every(({ key }) => key.endsWith(':a')),
      'the second call left',
    )
    assert.match(String(state.calls.find(({ id }) => id === 'b')?.result), /CANCELLED/)
  })

  test('stops a read beside the write, and does not wait for it', async (t) => {
    const look = { name: 'look', description: 'Looks.', protocol: 'function' }
    const world = await FamilyWorld.open(t, [agent('s', { tools: [SEND, look], ...TIMED })], {
      says: { s: () => calls(['a', 'send', { who: 's' }], ['b', 'look', { who: 's' }]) },
      reads: ['look'],
      tools: { send: hangs, look: hangs },
    })
    const ended = world.start({ drainMs: DRAIN_MS })
    await settle()
    world.clock.advance(60_000)
    await settle()
    world.clock.advance(DRAIN_MS)
    const state = await ended
    assert.equal(state.status, 'waiting')
    assert.deepEqual(
      state.calls.map(({ status }) => status),
      ['unknown', 'done'],
    )
  })

  test('gives a call that is sent again the full drain time', async (t) => {
    const { world, ended } = await atItsEnd(t, scene)
    world.clock.advance(DRAIN_MS)
    await ended
    const next = world.die({ tools: { send: hangs } })
    next.clock.advance(1_000_000)
    let answers = 0
    next.decide = ({ id }) =>
      answers++ === 0 ? { type: 'person.decided', call_id: id, verdict: 'resend', by: 'ann' } : null
    const again = next.resume({ drainMs: DRAIN_MS })
    await settle()
    next.clock.advance(DRAIN_MS - 1)
    await settle()
    assert.equal(next.stateOf(ROOT).calls[0]?.status, 'sent')
    next.clock.advance(1)
    assertWaits(next, await again, scene)
  })

  test('a sub-agent whose deadline passes together with its parent’s is settled by that', async (t) => {
    const root = agent('w', {
      orchestration: { subagents: subagents('s', 'z'), parallel_execution: true },
      ...TIMED,
    })
    const worker = (name: string) => agent(name, { tools: [SEND] })
    const world = await FamilyWorld.open(t, [root, worker('s'), worker('z')], {
      says: { s: sends('s'), z: sends('z') },
      tools: { send: hangs },
    })
    void world.start()
    await settle()
    const state = world.stateOf(ROOT)
    const [first] = state.calls
    const at = state.deadline_at ?? 0
    const fact = {
      type: 'call.failed',
      call_id: first?.id ?? '',
      code: 'TIMEOUT',
      message: 'its time is up',
      outcome: 'answered',
      latency_ms: 1,
    } as const
    const decision = decide(world.program, state, fact, { at })
    assert.equal(decision?.ending?.error?.code, 'TIMEOUT')
    assert.deepEqual([decision?.done?.call_id, decision?.done?.error], [first?.id, true])
  })

  test('a sub-agent that waits for an approval is cancelled, and the end does not wait for a person', async (t) => {
    const race = SCENES['a lost race'] as Scene
    const [root, fast] = race.definitions
    const careful = agent('s', {
      tools: [SEND],
      compliance: { human_in_the_loop: { enabled: true } },
    })
    const world = await FamilyWorld.open(t, [root as JsonObject, fast as JsonObject, careful], {
      says: race.says,
      tools: { send: () => assert.fail('it was not approved') },
    })
    const ended = world.start({ drainMs: DRAIN_MS })
    await settle()
    assert.equal(world.stateOf(world.runOf('s')).status, 'waiting')
    win()
    const state = await ended
    assert.equal(state.end?.output, 'first')
    assert.equal(world.stateOf(world.runOf('s')).status, 'cancelled')
  })

  test('a rehearsal never delays its end', async (t) => {
    const race = SCENES['a lost race'] as Scene
    const world = await FamilyWorld.open(t, race.definitions, {
      says: race.says,
      tools: { send: hangs },
      settings: { rehearse: true },
    })
    const ended = world.start({ drainMs: DRAIN_MS })
    await settle()
    win()
    assert.equal((await ended).end?.output, 'first')
    assert.ok(!world.events().some(({ decision }) => decision.ending !== undefined))
  })
})
