import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AgentDefinition, parseAgentDefinition, planRun, type RunEvent, run } from 'waybill'
import { createHookPort } from '../../src/adapters/tools/hook-port.ts'
import type { JsonObject } from '../../src/document/json.ts'
import type { HookRequest } from '../../src/run/ports.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { agent } from './family.ts'

const events = { on_start: 'begin', on_complete: 'done', on_error: 'broke', on_tool_call: 'guard' }

function hooked(members: JsonObject = {}): AgentDefinition {
  return parseAgentDefinition(
    agent('h', {
      tools: [{ name: 'send', description: 'Sends.', protocol: 'function' }],
      events,
      ...members,
    }),
  )
}

const env = { OPENAI_API_KEY: 'not-used' }

async function hookedRun(
  hooks: Record<string, (argument: HookArgument) => unknown>,
  model = scriptedModel([{ calls: [{ tool: 'send', args: { to: 'x' } }] }, 'sent']),
) {
  const log: string[] = []
  const seen: RunEvent[] = []
  const logged = (name: string) => (argument: HookArgument) => {
    log.push(name)
    return hooks[name]?.(argument)
  }
  const result = await run(hooked(), {
    input: 'go',
    env,
    hooks: { begin: logged('begin'), done: logged('done'), broke: logged('broke'), guard: logged('guard') },
    tools: {
      send: async () => {
        log.push('send')
        return 'ok'
      },
    },
    modelPort: {
      ask: (request, options) => {
        log.push('model')
        return model.ask(request, options)
      },
    },
    onEvent: (event) => seen.push(event),
  })
  const facts = seen.flatMap(({ fact }) => (fact.type === 'hook.ran' ? [fact] : []))
  return { result, log, facts, model }
}

interface HookArgument extends HookRequest {}

describe('AAIF events.on_*', () => {
  test('SPEC-D-20: hooks are called at their points, in order, and each call is on record', async () => {
    let guarded: HookArgument | undefined
    let output: unknown
    const { result, log, facts } = await hookedRun({
      guard: (given) => {
        guarded = given
      },
      done: (given) => {
        output = given.output
      },
    })
    assert.deepEqual(log, ['begin', 'model', 'guard', 'send', 'model', 'done'])
    assert.equal(result.status, 'completed')
    assert.deepEqual(
      facts.map(({ hook, ok }) => [hook, ok]),
      [
        ['on_start', true],
        ['on_tool_call', true],
        ['on_complete', true],
      ],
    )
    assert.deepEqual([guarded?.call?.tool, guarded?.call?.args, guarded?.input], ['send', { to: 'x' }, 'go'])
    assert.equal(output, 'sent')
  })

  test('SPEC-D-20: a veto of on_tool_call: the call is not sent, and the model gets the reason', async () => {
    for (const [veto, reason] of [
      [{ veto: 'not on Sundays' }, /not on Sundays/],
      [false, /does not allow/],
    ] as const) {
      const { result, log, facts, model } = await hookedRun({ guard: () => veto })
      assert.ok(!log.includes('send'))
      assert.equal(result.status, 'completed')
      assert.match(JSON.stringify(model.requests.at(-1)?.messages.at(-1)), reason)
      assert.match(JSON.stringify(model.requests.at(-1)?.messages.at(-1)), /TOOL_VETOED/)
      assert.match(facts[1]?.message ?? '', /vetoed/)
    }
  })

  test('SPEC-D-20: on_tool_call must return a verdict: any other value is a failure and denies the call', async () => {
    for (const verdict of [{ allow: false }, 'not on Sundays', {}, 0, []]) {
      const { result, log, model } = await hookedRun({ guard: () => verdict })
      assert.ok(!log.includes('send'), JSON.stringify(verdict))
      assert.equal(result.status, 'completed')
      assert.match(JSON.stringify(model.requests.at(-1)?.messages.at(-1)), /not a verdict.*veto: reason/)
    }
    for (const verdict of [undefined, null, true, { veto: undefined }, { veto: false }]) {
      const { log } = await hookedRun({ guard: () => verdict })
      assert.ok(log.includes('send'), JSON.stringify(verdict))
    }
  })

  test('a hook that throws: on_tool_call denies the call, other hooks give a warning', async () => {
    const broken = () => {
      throw new Error('boom')
    }
    const { result, log } = await hookedRun({ begin: broken, guard: broken, done: broken })
    assert.ok(!log.includes('send'))
    assert.equal(result.status, 'completed')
    assert.deepEqual(
      result.warnings.filter(({ code }) => code === 'HOOK_FAILED').map(({ message }) => message),
      ['the hook on_start failed: boom', 'the hook on_complete failed: boom'],
    )
  })

  test('on_error gets the reason of a failure or refusal, and on_complete is not called', async () => {
    const codes: unknown[] = []
    const broke = ({ error }: HookArgument) => codes.push(error?.code)
    const { log } = await hookedRun({ broke }, scriptedModel([]))
    assert.deepEqual(codes, ['SCRIPT_EXHAUSTED'])
    assert.ok(!log.includes('done'))
    const refused = await run(hooked({ io: { input_schema: { type: 'object' } } }), {
      input: 'no object',
      env,
      hooks: { begin: () => assert.fail('nothing began'), done: () => 0, guard: () => 0, broke },
      tools: { send: async () => 0 },
    })
    assert.equal(refused.status, 'refused')
    assert.equal(codes[1], 'INPUT_INVALID')
  })

  test('a missing hook is a warning before the run, and a refusal at levels that enforce everything', async () => {
    const plan = await planRun(hooked(), { env, hooks: { begin: () => 0, done: () => 0, broke: () => 0 } })
    assert.deepEqual(
      plan.degradations.filter(({ rule }) => rule === 'SPEC-D-20').map(({ path }) => path),
      ['/agent/events/on_tool_call'],
    )
    assert.deepEqual(
      plan.hooks?.map(({ hook }) => hook),
      ['on_start', 'on_complete', 'on_error'],
    )
    const strict = await planRun(hooked({ compliance: { safety_level: 'strict' } }), { env })
    assert.ok(strict.refusals.some(({ pointer }) => pointer === '/agent/events/on_tool_call'))
  })

  test('a rehearsal calls no hook, and lists each', async () => {
    const seen: RunEvent[] = []
    const forbidden = () => assert.fail('a rehearsal calls no hook')
    const result = await run(hooked(), {
      rehearse: true,
      hooks: { begin: forbidden, done: forbidden, broke: forbidden, guard: forbidden },
      onEvent: (event) => seen.push(event),
    })
    assert.equal(result.status, 'completed')
    assert.deepEqual(
      seen.flatMap(({ fact }) => (fact.type === 'hook.ran' ? [[fact.hook, fact.message]] : [])),
      ['on_start', 'on_tool_call', 'on_complete'].map((hook) => [
        hook,
        'a double: the function was not called',
      ]),
    )
  })

  test('a hook that times out has failed, and its signal is aborted', async () => {
    let aborted = false
    const port = createHookPort(
      new Map([
        [
          'slow',
          (_argument: unknown, context: unknown) =>
            new Promise(() => {
              const { signal } = context as { signal: AbortSignal }
              signal.addEventListener('abort', () => {
                aborted = true
              })
            }),
        ],
      ]),
      20,
    )
    const answer = await port.run({
      hook: 'on_tool_call',
      key: 'k',
      name: 'slow',
      run_id: 'r',
      agent_id: 'a',
      agent_name: 'A',
      input: null,
    })
    assert.deepEqual(answer, { ok: false, message: 'it took longer than 20 ms' })
    assert.ok(aborted)
  })
})
