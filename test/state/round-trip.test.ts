import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { apply } from '../../src/run/apply.ts'
import { initialState } from '../../src/run/initial-state.ts'
import { validateAgentState } from '../../src/spec/aaif/validate-agent-state.ts'
import { readHandoff } from '../../src/state/stream/read-handoff.ts'
import { writeHandoff } from '../../src/state/stream/write-handoff.ts'
import { assertStateChecksum } from '../../src/trust/checksum.ts'
import { ROOT } from '../run/family-world.ts'
import { captureOf, plainState, restoredState } from './captured.ts'
import { WORLDS, worldOf } from './captured-worlds.ts'

describe('a state that is captured and restored into the same plan', () => {
  for (const name of Object.keys(WORLDS)) {
    test(`${name}: equals the state of the run after each of its events (AAIF-8.1-02)`, async (t) => {
      const world = await worldOf(t, name)
      await world.start()
      let state = initialState(ROOT, world.program.plan.agent_id, world.program.hash)
      let compared = 0
      for (const event of world.events()) {
        state = apply(state, event)
        const document = captureOf(world, state)
        assert.deepEqual(
          validateAgentState(document as never).filter(({ severity }) => severity === 'error'),
          [],
        )
        assertStateChecksum(document as never)
        if (state.end !== null) continue
        assert.deepEqual(
          plainState(restoredState(document, world.program, { fork: false })),
          plainState(state),
          `after event ${event.seq} (${event.fact.type})`,
        )
        const bytes = [...writeHandoff(document, { token: 'a.b.c', chunkMessages: 2 })].map((line) =>
          Buffer.from(line),
        )
        const { state: streamed } = await readHandoff(asStream(bytes), { verifyInit: async () => undefined })
        assert.deepEqual(
          plainState(restoredState(streamed, world.program, { fork: false })),
          plainState(state),
          `streamed, after event ${event.seq}`,
        )
        compared++
      }
      assert.ok(compared > 0)
    })
  }
})

async function* asStream(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts
}
