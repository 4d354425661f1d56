import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { Plan } from '../../src/plan/plan.ts'
import type { Snapshot } from '../../src/plan/snapshot.ts'
import { agentSchema } from '../../src/spec/aaif/agent.schema.ts'
import { agent as definitionOf } from '../run/family.ts'
import { SETTINGS } from '../run/fixture.ts'
import { FATES, type Fate } from './declared-members.ts'
import { withSecrets } from './with-secrets.ts'

const DEFS = agentSchema.$defs as unknown as Readonly<Record<string, DefinedObject>>
/** What §4.2–§4.7, and the sentences on input, output and events, are about. */
const SECTIONS = ['model', 'orchestration', 'tools', 'memory', 'io', 'events', 'runtime', 'telemetry']

interface DefinedObject {
  readonly properties: Readonly<Record<string, MemberSchema>>
}

interface MemberSchema {
  readonly $ref?: string
  readonly items?: MemberSchema
  readonly enum?: readonly string[]
}

/** The names of the objects below those members, without conditions, which are §5's. */
function objectsOf(schemas: readonly MemberSchema[], found = new Set<string>()): ReadonlySet<string> {
  for (const schema of schemas) {
    const name = (schema.$ref ?? schema.items?.$ref)?.split('/').at(-1)
    if (name === undefined || name === 'Condition' || found.has(name)) continue
    found.add(name)
    objectsOf(Object.values(DEFS[name]?.properties ?? {}), found)
  }
  return found
}

const objects = objectsOf(SECTIONS.map((name) => DEFS.Agent?.properties[name] ?? {}))
const declared = [...objects].flatMap((name) =>
  Object.entries(DEFS[name]?.properties ?? {}).map(([key, schema]) => ({
    name: `${name}.${key}`,
    values: schema.enum,
  })),
)

/** A plan by a host that has what it can have, so that what differs is what the member does. */
function planOf(members: JsonObject): Plan {
  const definition = definitionOf('Clerk', {
    model: { provider: 'openai', preferred: 'gpt-4o' },
    runtime: {},
    ...members,
  })
  const agent = definition.agent as { orchestration?: { subagents?: { ref: string }[] } }
  const snapshot = {
    definition,
    definition_hash: 'a'.repeat(64),
    context: [],
    subagents: (agent.orchestration?.subagents ?? []).map(({ ref }, index) => ({
      ref,
      index,
      found: { definition_hash: ref.repeat(64), name: ref, purpose: 'Works.' },
    })),
    discovered: {},
    functions: {},
    hooks: ['known'],
  } as unknown as Snapshot
  const grants = { hosts: [{ host: 'open.example', private: false, source: 'flag' as const }] }
  const settings = {
    ...SETTINGS,
    grants,
    secret_grants: ['TOKEN', 'OTHER'].map((name) => ({ name, host: 'open.example' })),
    user: 'ada',
    session: 's1',
  }
  const facts = { price: { input: 1, output: 2 }, context_window: 128_000 }
  return makePlan(snapshot, settings, {
    ...withSecrets('OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'TOKEN', 'OTHER'),
    priceOf: () => facts,
    canAudit: true,
    memory: { kept: true, embeddings: true },
  })
}

/** Of tests, and of cases that a test file goes through. */
const titles = globSync('**/*.ts', { cwd: join(import.meta.dirname, '..') })
  .map((file) => readFileSync(join(import.meta.dirname, '..', file), 'utf8'))
  .flatMap((source) =>
    [...source.matchAll(/\b(?:(?:test|it)\(|name:)\s*(['"`])(.*?)\1/gs)].map(([, , title = '']) => title),
  )

/** Everything that a plan says will not be done, or will not be done as it was declared. */
function said({ degradations, models, tools }: Plan): readonly string[] {
  return [
    ...degradations.map(({ path, reason }) => `${path}: ${reason}`),
    ...models.map(({ reason = '' }) => reason),
    ...tools.map(({ reason = '' }) => reason),
  ]
}

function prove(fate: Fate): void {
  const [without, withIt] = [planOf(fate.base ?? {}), planOf(fate.agent ?? {})]
  if ('says' in fate) {
    const news = said(withIt).filter((text) => !said(without).includes(text))
    assert.match(news.join('\n'), fate.says)
    return
  }
  assert.ok(
    titles.some((title) => title.includes(fate.by)),
    `no test is called "${fate.by}"`,
  )
  if (fate.agent === undefined) return
  // What a plan does not even take up cannot be done by a run of it.
  const { degradations: _a, ...before } = without
  const { degradations: _b, ...after } = withIt
  assert.notDeepEqual(after, before)
}

describe('AAIF §4.2–§4.7 every declared member is applied or reported', () => {
  test('the table contains exactly the members of these sections', () => {
    assert.ok(declared.length > 90)
    assert.deepEqual(Object.keys(FATES).sort(), declared.map(({ name }) => name).sort())
  })

  for (const { name, values } of declared) {
    const fates = FATES[name]
    if (fates === undefined) continue
    if (!('each' in fates)) {
      test(`${name} is applied, or the plan reports that it is not`, () => {
        assert.equal(values, undefined, 'say what becomes of each of its values')
        prove(fates)
      })
      continue
    }
    test(`${name}: each value is applied, or the plan reports that it is not`, () => {
      assert.deepEqual(Object.keys(fates.each).sort(), [...(values ?? [])].sort())
      for (const fate of Object.values(fates.each)) prove(fate)
    })
  }
})

describe('AAIF §4.2–§4.7 members without effect because of another member are reported', () => {
  const A = { ref: 'a', alias: 'a' }
  const B = { ref: 'b', alias: 'b' }
  const when = { lang: 'cel', expr: 'true' }
  const tool = (members: JsonObject) => ({ tools: [{ name: 'fetch', description: 'Fetches.', ...members }] })
  const http = { protocol: 'http', endpoint: 'https://open.example/x' }
  const orchestration = (members: JsonObject) => ({ orchestration: { subagents: [A, B], ...members } })
  const model = (members: JsonObject) => ({ model: { provider: 'openai', preferred: 'gpt-4o', ...members } })
  const cases: readonly [what: string, members: JsonObject, path: string, rule: string, says: RegExp][] = [
    [
      'partial output of an answer that must be whole',
      { io: { streaming: true }, constraints: ['Answers must be at most 20 words.'] },
      '/agent/io/streaming',
      'AAIF-3-02',
      /withheld until it is complete/,
    ],
    [
      'a queue',
      { runtime: { queue: 'night' } },
      '/agent/runtime/queue',
      'AAIF-4.6-07',
      /the queue night is ignored/,
    ],
    [
      'a form without a schema',
      model({ response_format: 'json_schema' }),
      '/agent/model/response_format',
      'SPEC-F-02',
      /any JSON value/,
    ],
    [
      'parallel steps',
      orchestration({ pipeline: ['a', 'b'], parallel_execution: true }),
      '/agent/orchestration/parallel_execution',
      'AAIF-4.3-04',
      /one after another/,
    ],
    [
      'nobody to run at once',
      { orchestration: { parallel_execution: true } },
      '/agent/orchestration/parallel_execution',
      'AAIF-4.3-04',
      /no sub-agent/,
    ],
    [
      'a condition on a step',
      orchestration({ pipeline: ['a', 'b'], subagents: [A, { ...B, when }] }),
      '/agent/orchestration/subagents/1/when',
      'AAIF-4.3-02',
      /its condition is ignored/,
    ],
    [
      'a sub-agent beside the steps',
      orchestration({ pipeline: ['a'] }),
      '/agent/orchestration/subagents/1',
      'AAIF-4.3-02',
      /names b, so it is not called/,
    ],
    [
      'tools of a pipeline',
      { ...orchestration({ pipeline: ['a', 'b'] }), ...tool(http) },
      '/agent/tools',
      'AAIF-4.3-02',
      /does not use that model/,
    ],
    [
      'a second fallback',
      orchestration({
        subagents: [
          { ...A, role: 'fallback' },
          { ...B, role: 'fallback' },
        ],
      }),
      '/agent/orchestration/subagents/1/role',
      'AAIF-4.3-01',
      /another fallback/,
    ],
    [
      'agreement of one after another',
      orchestration({ consensus: { strategy: 'majority_vote' } }),
      '/agent/orchestration/consensus',
      'AAIF-4.3-05',
      /set parallel_execution/,
    ],
    [
      'votes without a strategy',
      orchestration({ parallel_execution: true, consensus: { min_votes: 2 } }),
      '/agent/orchestration/consensus',
      'AAIF-4.3-05',
      /no strategy/,
    ],
    [
      'votes where nobody votes',
      orchestration({ parallel_execution: true, consensus: { strategy: 'first_success', min_votes: 2 } }),
      '/agent/orchestration/consensus/min_votes',
      'AAIF-4.3-05',
      /does not use votes/,
    ],
    [
      'a referee who is not asked',
      orchestration({
        parallel_execution: true,
        consensus: { strategy: 'majority_vote', referee_agent: 'a' },
      }),
      '/agent/orchestration/consensus/referee_agent',
      'AAIF-4.3-05',
      /does not use a referee/,
    ],
    [
      'a credential that is only named',
      tool({ ...http, auth: { env_var: 'TOKEN' } }),
      '/agent/tools/0/auth',
      'AAIF-4.4-09',
      /TOKEN is given, but auth\.type is "none"/,
    ],
    [
      'a header for a bearer token',
      tool({ ...http, auth: { type: 'bearer', env_var: 'TOKEN', header: 'X-Key' } }),
      '/agent/tools/0/auth/header',
      'AAIF-4.4-09',
      /belongs to auth\.type api_key/,
    ],
    [
      'a credential of a function',
      tool({ protocol: 'function', auth: { type: 'bearer', env_var: 'TOKEN' } }),
      '/agent/tools/0/auth',
      'AAIF-4.4-02',
      /in this process/,
    ],
    [
      'an endpoint of a function',
      tool({ protocol: 'function', endpoint: 'https://open.example/x' }),
      '/agent/tools/0/endpoint',
      'AAIF-4.4-02',
      /in this process/,
    ],
    [
      'kept results of a write',
      tool({ ...http, cache_ttl_seconds: 60 }),
      '/agent/tools/0/cache_ttl_seconds',
      'AAIF-4.4-14',
      /fetch: \{ read_only: true \}/,
    ],
  ]
  for (const [what, members, path, rule, says] of cases) {
    test(what, () => {
      const note = planOf(members).degradations.find((each) => each.path === path)
      assert.equal(note?.rule, rule)
      assert.match(note?.reason ?? '', says)
    })
  }

  test('a definition in which all members have an effect has no degradations', () => {
    const plan = planOf({
      ...orchestration({ parallel_execution: true, consensus: { strategy: 'majority_vote', min_votes: 2 } }),
      ...tool({ ...http, auth: { type: 'bearer', env_var: 'TOKEN' } }),
      runtime: { concurrency: 2, environment: 'staging' },
      events: { triggers: [{ type: 'manual' }, { type: 'schedule', schedule: '0 6 * * *' }] },
      io: { mode: 'sync' },
    })
    assert.deepEqual(plan.degradations, [])
  })

  test('a function gets no credential, and its plan needs no secret', () => {
    const plan = planOf(tool({ protocol: 'function', auth: { type: 'bearer', env_var: 'TOKEN' } }))
    assert.equal(plan.tools[0]?.auth, undefined)
    assert.ok(!plan.secrets.includes('TOKEN'))
  })
})

test('the plan asks for the form that io.format or response_format names', () => {
  const form = (members: JsonObject) => {
    const { output, system_prompt } = planOf(members)
    return [output.format, /# Form of the answer\n(.*)/.exec(system_prompt)?.[1] ?? '']
  }
  const json = ['json', 'Your final answer is one JSON value, without any text around it.']
  const markdown = ['markdown', 'Write your final answer in Markdown.']
  assert.deepEqual(form({ io: { format: 'json' } }), json)
  assert.deepEqual(form({ io: { format: 'structured' } }), json)
  assert.deepEqual(form({ io: { format: 'markdown' } }), markdown)
  assert.deepEqual(
    form({ model: { provider: 'openai', preferred: 'm', response_format: 'markdown' } }),
    markdown,
  )
  assert.deepEqual(form({ io: { format: 'text' } }), ['text', ''])
})
