import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { localHome } from '../../src/compose/local-home.ts'
import { openSecrets } from '../../src/compose/open-secrets.ts'
import type { Parts } from '../../src/compose/parts.ts'
import { prepare } from '../../src/compose/prepare.ts'
import { runHost } from '../../src/compose/run-host.ts'
import type { Guard } from '../../src/run/drive/guarded-ports.ts'
import type { ModelPort } from '../../src/run/ports.ts'
import { AgentSessions } from '../../src/session/agent-sessions.ts'
import { localPrincipal } from '../../src/session/principal.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { definition, SETTINGS } from './fixture.ts'

const JUDGE = { provider: 'openai', model: 'judge' }
const SECRETS = openSecrets({ OPENAI_API_KEY: 'not-used' })

/** An agent with every kind of send: hooks, memory, a model, a judge and a tool. */
const AGENT = definition({
  model: { provider: 'openai', preferred: 'gpt-4o' },
  tools: [{ name: 'look', description: 'Looks.', parameters_schema: { type: 'object' } }],
  memory: [{ scope: 'long_term', backend: 'sqlite' }],
  constraints: ['Be kind.'],
  events: { on_start: 'begin', on_tool_call: 'allow', on_complete: 'done' },
})

const START = { type: 'run.started', input: 'go' } as const

/** Prepares the agent in a new home. `log` names each send that really happened. */
async function world(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-guard-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const home = await localHome(folder, { principal: localPrincipal('ada'), secrets: SECRETS })
  const log: string[] = []
  const answers = scriptedModel([
    { calls: [{ tool: 'look', args: {} }] },
    { calls: [{ tool: 'memory_save', args: { key: 'k', content: 'c', scope: 'long_term' } }] },
    'done',
  ])
  const model: ModelPort = {
    async ask(request, options) {
      const judged = request.route.model === 'judge'
      log.push(judged ? 'judge' : 'model')
      if (!judged) return answers.ask(request, options)
      const message = { role: 'assistant', text: '{"breaches":[]}', calls: [] } as const
      return { message, finish: 'stop', usage: {}, warnings: [] }
    },
  }
  const hook = (name: string) => async () => {
    log.push(name)
  }
  const parts: Parts = {
    settings: { ...SETTINGS, judge: JUDGE },
    env: {},
    secrets: SECRETS,
    home,
    model,
    tools: {
      tools: new Map([
        ['look', { call: async () => void log.push('look') as never, readOnly: true, idempotent: true }],
      ]),
      hooks: new Map(['begin', 'allow', 'done'].map((name) => [name, hook(name)])),
    },
  }
  const { program, family, definitions } = await prepare(AGENT, parts, { folder: undefined, source: 'test' })
  const agent = new AgentSessions(runHost(parts, 'ada', home), { program, plans: family, definitions })
  t.after(async () => {
    await agent.close()
    await home.close()
  })
  const guarded = async (guard: Guard) => {
    const created = await agent.start(START)
    await created.close()
    return agent.openHeld(await home.runs.open(created.run.header.run_id), guard)
  }
  return { home, log, agent, guarded }
}

describe('a guard that is called before each send', () => {
  test('is asked before every model, judge, hook, tool and memory', async (t) => {
    const { log, guarded } = await world(t)
    let asked = 0
    const session = await guarded(() => void asked++)
    const { result } = await session.drive()
    await session.close()
    assert.equal(result.status, 'completed', JSON.stringify(result.error))
    for (const send of ['begin', 'model', 'allow', 'look', 'judge', 'done'])
      assert.ok(log.includes(send), send)
    // Memory is used twice: it is read for the turn, and `memory_save` writes.
    assert.equal(asked, log.length + 2)
  })

  test('stops the run at any send, which neither happens nor is recorded as failed', async (t) => {
    const stopped = new Error('the lease has lapsed')
    const count = await (async () => {
      const { guarded } = await world(t)
      let asked = 0
      const session = await guarded(() => void asked++)
      await session.drive()
      await session.close()
      return asked
    })()
    assert.ok(count > 8)
    for (let last = 0; last < count; last++) {
      const { home, log, agent, guarded } = await world(t)
      let asked = 0
      let sent: number | undefined
      const session = await guarded(() => {
        if (asked++ < last) return
        sent ??= log.length
        throw stopped
      })
      const { run_id } = session.run.header
      await assert.rejects(session.drive(), (error) => error === stopped)
      await session.close()
      assert.equal(log.length, sent, `a send followed after the guard refused send ${last}`)
      const failures = (await home.runs.events(run_id)).filter(
        ({ fact }) =>
          fact.type.endsWith('failed') ||
          (fact.type === 'hook.ran' && !fact.ok) ||
          fact.type === 'run.cancelled',
      )
      assert.deepEqual(failures, [], `send ${last}`)
      const resumed = await agent.open(run_id)
      const { result } = await resumed.drive()
      await resumed.close()
      assert.equal(result.status, 'completed', `send ${last}: ${JSON.stringify(result)}`)
    }
  })
})

describe('a run that is made without storing it', () => {
  test('is what `start` stores: the cleaned input, the header and the plans', async (t) => {
    const { home, agent } = await world(t)
    const secret = { ...START, input: 'key not-used' }
    const begun = await agent.newRun(secret, { run_id: 'r-1', user: 'ada' })
    assert.equal(await home.runs.has('r-1'), false)
    assert.doesNotMatch(JSON.stringify(begun), /not-used/)
    const session = await agent.start(secret, { run_id: 'r-1', user: 'ada' })
    await session.close()
    const { header, plan, family, first } = await home.runs.read('r-1')
    const { created_at } = header
    const stored = JSON.stringify({ header, plan, family, first, sealed: [] })
    assert.equal(stored, JSON.stringify({ ...begun, header: { ...begun.header, created_at } }))
  })
})
