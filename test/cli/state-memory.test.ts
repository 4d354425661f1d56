import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { LLMock } from '@copilotkit/aimock'
import type { AgentState } from '../../src/spec/aaif/generated/state.ts'
import { DEFINITION, Place, waybill } from './fixture.ts'

const FACT = 'She is allergic to peanuts.'
/** It has no word in common with the fact, so that keywords do not find the fact. */
const QUESTION = 'Which food must be avoided?'

/** What each conversation saves, by its name. */
const SAVED: Readonly<Record<string, readonly string[]>> = {
  'ada-1': ['task', 'session', 'user', 'long_term'],
  'ada-2': ['task', 'session'],
  'bob-1': ['task', 'session', 'user'],
}
const saving = (whose: string, scope: string, n: number) => ({
  id: `s${n}`,
  name: 'memory_save',
  arguments: JSON.stringify({ scope, key: `of ${scope}`, content: `${whose} ${scope}` }),
})

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
const model = new LLMock({ port: 0, host: '127.0.0.1' })
let flags: readonly string[] = []
before(async () => {
  flags = ['--model', 'custom/x', '--base-url', `${await model.start()}/v1`]
  model.addFixture({
    match: { predicate: (request) => /Remember/.test(String(request.messages.at(-1)?.content)) },
    response: {
      toolCalls: [
        { id: 'c1', name: 'memory_save', arguments: JSON.stringify({ key: 'fact', content: FACT }) },
      ],
      usage,
    },
  })
  for (const [whose, scopes] of Object.entries(SAVED))
    model.addFixture({
      match: { predicate: (request) => request.messages.at(-1)?.content === `Keep ${whose}` },
      response: { toolCalls: scopes.map((scope, n) => saving(whose, scope, n)), usage },
    })
  model.addFixture({ match: {}, response: { content: 'Noted.', usage } })
})
after(() => model.stop())

const vectorsIn = (place: Place): readonly string[] => {
  const db = new DatabaseSync(place.database)
  try {
    const rows = db.prepare('SELECT key FROM items WHERE vector IS NOT NULL ORDER BY key').all()
    return rows.map(({ key }) => String(key))
  } finally {
    db.close()
  }
}

const lastRequest = () => JSON.stringify(model.getRequests().at(-1)?.body)

test('AAIF-8.1-08: a state has no embeddings, and the home that restores it embeds its items again', async (t) => {
  const definition = {
    ...DEFINITION,
    agent: {
      ...DEFINITION.agent,
      tools: [],
      memory: [
        {
          scope: 'user',
          key: 'office',
          content: 'The office is closed on Sundays.',
          backend: 'sqlite',
          retrieval_strategy: 'similarity',
          top_k: 1,
        },
      ],
    },
  }
  const [place, other] = [new Place(t, definition), new Place(t, definition)]
  const ok = async (at: Place, ...argv: readonly string[]) => {
    const said = await waybill(at, argv)
    assert.equal(said.code, 0, said.err)
    return said
  }
  const go = async (at: Place, input: string) =>
    JSON.parse((await ok(at, 'run', 'agent.json', '--user', 'ada', '--input', input, '--json', ...flags)).out)
  await go(place, 'Remember it.')
  const { run_id } = await go(place, QUESTION)
  assert.match(lastRequest(), /peanuts/)
  assert.ok(vectorsIn(place).includes('fact'), 'the home has embedded it')

  await ok(place, 'state', 'export', run_id, '--at', '1', '-o', 'state.json')
  const text = readFileSync(join(place.folder, 'state.json'), 'utf8')
  const state: AgentState = JSON.parse(text)
  const item = state.memory_snapshot?.find(({ key }) => key === 'fact')
  assert.equal(item?.content, FACT)
  for (const one of state.memory_snapshot ?? [])
    assert.deepEqual(Object.keys(one).sort(), ['backend', 'captured_at', 'content', 'key', 'scope'])
  assert.doesNotMatch(text, /"\w*(?:embedding|vector)\w*"/i)

  other.write('state.json', text)
  // At its event 1 the run has not searched its memory: it does so in the home that restores it.
  const resumed = await ok(
    other,
    ...['resume', 'state.json', '--agent', 'agent.json', '--user', 'ada', '--json', ...flags],
  )
  assert.equal(JSON.parse(resumed.out).status, 'completed')
  assert.match(lastRequest(), /peanuts/)
  assert.ok(vectorsIn(other).includes('fact'), 'the other home has embedded it')
})

for (const backend of ['sqlite', 'in_memory'])
  test(`AAIF-8.1-15: a state has every item that its run can read, of all four scopes, and none of another user or session (${backend})`, async (t) => {
    const memory = ['task', 'session', 'user', 'long_term'].map((scope) => ({
      ...{ scope, key: `declared ${scope}`, content: `everybody ${scope}` },
      backend: scope === 'task' ? 'in_memory' : backend,
    }))
    const place = new Place(t, { ...DEFINITION, agent: { ...DEFINITION.agent, tools: [], memory } })
    const run = async (user: string, session: string, input: string): Promise<string> => {
      const argv = ['run', 'agent.json', '--user', user, '--session', session, '--input', input, '--json']
      const said = await waybill(place, [...argv, ...flags])
      assert.equal(said.code, 0, said.err)
      return JSON.parse(said.out).run_id
    }
    const snapshot = async (runId: string) => {
      const said = await waybill(place, ['state', 'export', runId, '-o', 'of-user.json'])
      assert.equal(said.code, 0, said.err)
      const state: AgentState = JSON.parse(readFileSync(join(place.folder, 'of-user.json'), 'utf8'))
      return (state.memory_snapshot ?? []).map(({ scope, content }) => [scope, content].join(': ')).sort()
    }
    const saved = {
      'ada-1': await run('ada', 's1', 'Keep ada-1'),
      'ada-2': await run('ada', 's2', 'Keep ada-2'),
      // The same name of a session, of another user.
      'bob-1': await run('bob', 's1', 'Keep bob-1'),
    }
    const declared = memory.map(({ scope }) => `${scope}: everybody ${scope}`)
    const of = (whose: string, ...scopes: readonly string[]) =>
      scopes.map((scope) => `${scope}: ${whose} ${scope}`)
    const lasts = backend === 'sqlite'
    const expected: Readonly<Record<keyof typeof saved, readonly string[]>> = {
      'ada-1': of('ada-1', 'task', 'session', 'user', 'long_term'),
      'ada-2': [...of('ada-2', 'task', 'session'), ...(lasts ? of('ada-1', 'user', 'long_term') : [])],
      'bob-1': [...of('bob-1', 'task', 'session', 'user'), ...(lasts ? of('ada-1', 'long_term') : [])],
    }
    for (const [whose, runId] of Object.entries(saved))
      assert.deepEqual(
        await snapshot(runId),
        [...declared, ...expected[whose as keyof typeof saved]].sort(),
        whose,
      )
    // A later run of the same conversation, which saves nothing, and its model see the same.
    const later = await run('ada', 's1', 'What is known?')
    const known = await snapshot(later)
    assert.deepEqual(
      known,
      [...declared, ...of('ada-1', 'session', ...(lasts ? ['user', 'long_term'] : []))].sort(),
    )
    const asked = lastRequest()
    for (const text of ['ada-1 session', 'ada-1 user', 'ada-1 long_term'])
      assert.equal(asked.includes(text), lasts || text === 'ada-1 session', text)
    assert.ok(!/bob-1|ada-2/.test(asked))
  })
