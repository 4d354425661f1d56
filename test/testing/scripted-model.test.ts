import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { drive } from '../../src/run/drive/drive.ts'
import { initialState } from '../../src/run/initial-state.ts'
import { ModelFailure } from '../../src/run/ports.ts'
import { resultOf } from '../../src/run/result.ts'
import { type ScriptedModel, scriptedModel } from '../../src/testing/scripted-model.ts'
import { portsOf, programOf, toolsOf } from '../run/fixture.ts'

async function run(model: ScriptedModel) {
  const program = programOf({ model: { provider: 'openai', preferred: 'gpt-4o' } })
  const start = initialState('run-1', program.plan.agent_id, program.hash)
  const tools = toolsOf({ look: () => ({ found: 'a cat' }) })
  return resultOf(
    program.plan,
    await drive(program, start, { type: 'run.started', input: 'hi' }, portsOf(model, tools)),
  )
}

const failure = (code: string) => (e: unknown) => e instanceof ModelFailure && e.code === code

describe('scriptedModel', () => {
  test('gives the answers of the script, in order', async () => {
    const model = scriptedModel([
      { calls: [{ tool: 'look', args: { x: 1 } }], expect: { role: 'user', contains: 'hi' } },
      { text: 'a cat', expect: { tool: 'look', error: false, contains: /cat/ } },
    ])
    assert.equal((await run(model)).output, 'a cat')
    assert.equal(model.requests.length, 2)
    model.assertDone()
  })

  test('a request beyond the script fails the run and the assertion', async () => {
    const model = scriptedModel([{ calls: [{ tool: 'look', args: { x: 1 } }] }])
    assert.equal((await run(model)).status, 'failed')
    assert.throws(() => model.assertDone(), failure('SCRIPT_EXHAUSTED'))
  })

  test('an unexpected last message fails the run and the assertion', async () => {
    for (const expect of [
      { contains: 'goodbye' },
      { role: 'tool' as const },
      { tool: 'look' },
      { error: true },
      () => false,
    ]) {
      const model = scriptedModel([{ text: 'x', expect }])
      assert.equal((await run(model)).status, 'failed')
      assert.throws(() => model.assertDone(), failure('SCRIPT_EXPECTATION'))
    }
  })

  test('unused answers fail the assertion', async () => {
    const model = scriptedModel(['done', 'more'])
    await run(model)
    assert.throws(() => model.assertDone(), failure('SCRIPT_UNFINISHED'))
  })

  test("a scripted failure counts as the provider's, not as the script's", async () => {
    const model = scriptedModel([{ fails: new ModelFailure('route', 'MODEL_KEY_REFUSED', 'bad key') }])
    assert.equal((await run(model)).status, 'failed')
    model.assertDone()
  })
})
