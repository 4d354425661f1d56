import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Json, JsonObject } from '../../../src/document/json.ts'
import { makePlan } from '../../../src/plan/make-plan.ts'
import { parseHostGrant } from '../../../src/policy/endpoint-gate.ts'
import { GO } from '../../cli/fixture.ts'
import { withSecrets } from '../../plan/with-secrets.ts'
import { type Attack, type Category, type Control, numbered } from '../attack.ts'
import {
  calling,
  command,
  definition,
  Listener,
  listen,
  ModelServer,
  type Outcome,
  SEND_MAIL,
  shared,
  stage,
} from '../world.ts'

/** A model on this machine, which is inside any region. */
const models = shared(() => new ModelServer())
const others = shared(() => new Listener())
const IN_EUROPE: JsonObject = { compliance: { data_residency: 'EU' } }
/** Outside by name. Nothing answers there: what would be tried shows in the reasons that the run gives. */
const OUTSIDE = 'https://gateway.us.example/v1'
const KEYS = {
  OPENAI_API_KEY: 'k-1-not-a-key',
  ANTHROPIC_API_KEY: 'k-2-not-a-key',
  MISTRAL_API_KEY: 'k-3-not-a-key',
  WAYBILL_KEY_MISTRAL: 'k-4-not-a-key',
  WAYBILL_KEY_ACME: 'k-5-not-a-key',
}
const OPEN = { allow_hosts: ['gateway.us.example', '*.us.example', 'localhost.us.example'] }

async function run(
  t: TestContext,
  agent: JsonObject,
  config: JsonObject = {},
  argv: readonly string[] = [],
  files: Record<string, JsonObject> = {},
): Promise<Outcome> {
  const place = stage(t, {
    agent: { ...IN_EUROPE, ...agent },
    env: KEYS,
    files: { ...files, 'config.yaml': { ...OPEN, ...config } as Json as JsonObject },
  })
  return command(place, [...GO, '--config', 'config.yaml', ...argv])
}

function refused(outcome: Outcome): void {
  assert.equal(outcome.code, 1, outcome.out)
  assert.deepEqual(
    [outcome.value.error?.code, outcome.value.error?.rule],
    ['RESIDENCY_UNPROVEN', 'AAIF-4.9-05'],
  )
  assert.equal((outcome.value.usage as { llm_calls: number }).llm_calls, 0)
}

/** A definition whose routes are all outside the region. */
function route(
  attack: string,
  by: string,
  model: JsonObject,
  config: JsonObject = {},
  compliance: JsonObject = {},
): Omit<Attack, 'id'> {
  return {
    attack,
    by,
    holds: 'the run is refused before a byte is sent',
    try: async (t) =>
      refused(await run(t, { model, compliance: { data_residency: 'EU', ...compliance } }, config)),
  }
}

const custom = (members: JsonObject): JsonObject => ({
  provider: 'custom',
  provider_id: 'acme',
  preferred: 'x',
  base_url: OUTSIDE,
  ...members,
})

const routes: readonly Omit<Attack, 'id'>[] = [
  route('uses a provider that is proven nowhere', 'model.provider', { provider: 'openai', preferred: 'x' }),
  route(
    'calls a place by the name of a provider in the region',
    'model.provider_id',
    custom({ provider_id: 'mistral' }),
  ),
  route(
    'calls a place by the name that the operator has vouched for',
    'model.provider_id with another base_url',
    custom({}),
    { residency: { acme: ['EU'] }, providers: { acme: { base_urls: ['https://gateway.eu.example/v1'] } } },
  ),
  route(
    'moves a provider in the region to another address',
    'model.base_url',
    { provider: 'mistral', preferred: 'x', base_url: OUTSIDE },
    { providers: { mistral: { base_urls: [OUTSIDE] } } },
  ),
  route(
    'names a host below one that was vouched for',
    'model.base_url',
    custom({ base_url: 'https://a.us.example/v1' }),
    { residency: { 'us.example': ['EU'] } },
  ),
  route(
    'names a host that begins like this machine',
    'model.base_url',
    custom({ base_url: 'https://localhost.us.example/v1' }),
  ),
  route('names a member of every object', 'model.provider_id', custom({ provider_id: '__proto__' })),
  route(
    'requires a region that the operator has not claimed',
    'data_residency custom',
    { provider: 'mistral', preferred: 'x' },
    { residency: { mistral: ['EU'], openai: ['custom'] } },
    { data_residency: 'custom' },
  ),
  route('hides a route outside behind a cheaper strategy', 'model.fallbacks and routing_strategy', {
    provider: 'openai',
    preferred: 'x',
    routing_strategy: 'round_robin',
    fallbacks: [
      { provider: 'anthropic', model: 'y' },
      { provider: 'groq', model: 'z' },
    ],
  }),
]

const SUB = { agent_id: 'a1b2c3d4-0001-4000-8000-000000000009' }
const pipeline = {
  orchestration: { role: 'orchestrator', subagents: [{ ref: 'helper.json', alias: 'h' }], pipeline: ['h'] },
}

function helper(
  attack: string,
  by: string,
  members: JsonObject,
  head: JsonObject = pipeline,
): Omit<Attack, 'id'> {
  return {
    attack,
    by,
    holds: 'the sub-agent’s route is closed, and the run does not complete',
    try: async (t) => {
      const files = { 'helper.json': definition({ name: 'Helper', ...members }, SUB) }
      const outcome = await run(t, { model: { provider: 'mistral', preferred: 'x' }, ...head }, {}, [], files)
      assert.notEqual(outcome.code, 0)
      assert.match(JSON.stringify(outcome.value), /RESIDENCY_UNPROVEN|no route keeps data|no proof that/)
    },
  }
}

const families: readonly Omit<Attack, 'id'>[] = [
  helper('lets a sub-agent work outside', 'a sub-agent that declares no region', {
    model: { provider: 'openai', preferred: 'x' },
  }),
  helper('lets a sub-agent work anywhere', 'a sub-agent that declares global', {
    compliance: { data_residency: 'global' },
    model: { provider: 'openai', preferred: 'x' },
  }),
  helper('lets a sub-agent declare another region', 'a sub-agent that declares US', {
    compliance: { data_residency: 'US' },
    model: { provider: 'mistral', preferred: 'x' },
  }),
  helper(
    'lets a router choose one outside',
    'the target of a router',
    { model: { provider: 'anthropic', preferred: 'x' } },
    {
      orchestration: {
        role: 'router',
        subagents: [{ ref: 'helper.json', alias: 'h', when: { lang: 'always' } }],
      },
    },
  ),
]

/** The run itself stays here; what tries to leave is something else. */
function beside(
  attack: string,
  by: string,
  holds: string,
  go: (t: TestContext, model: ModelServer, argv: readonly string[]) => Promise<void>,
): Omit<Attack, 'id'> {
  return {
    attack,
    by,
    holds,
    try: async (t) => {
      const model = await models()
      model.reset()
      await go(t, model, model.flags)
    },
  }
}

const rest: readonly Omit<Attack, 'id'>[] = [
  beside(
    'waits until the route inside fails',
    'a fallback outside',
    'the fallback is not eligible, and the run fails',
    async (t) => {
      const broken = await new ModelServer().start()
      t.after(() => broken.stop())
      broken.answers = () => ({ status: 500, body: {} })
      const outcome = await run(
        t,
        {
          model: {
            provider: 'custom',
            provider_id: 'custom',
            preferred: 'x',
            fallbacks: [{ provider: 'openai', model: 'gpt-4o' }],
          },
        },
        {},
        ['--base-url', `${broken.url}/v1`],
      )
      assert.equal(outcome.code, 3, outcome.out)
      assert.ok(broken.received.length > 0)
      assert.match(
        outcome.value.error?.message ?? '',
        /gpt-4o: there is no proof that openai keeps data in EU/,
      )
    },
  ),
  beside(
    'sends what it judges outside',
    'a judge outside, at strict',
    'the run is refused because no judge is eligible',
    async (t, model, argv) => {
      const outcome = await run(
        t,
        {
          constraints: ['Be kind to all people.'],
          compliance: { data_residency: 'EU', safety_level: 'strict' },
        },
        {},
        [...argv, '--judge', 'openai/gpt-4o'],
      )
      assert.equal(outcome.code, 1, outcome.out)
      assert.equal(model.received.length, 0)
    },
  ),
  beside(
    'sends what it judges outside',
    'evaluation.judge_model of the definition, at standard',
    'a warning reports that only the prompt enforces the rule',
    async (t, model) => {
      const outcome = await run(t, {
        model: { provider: 'openai', preferred: 'x' },
        evaluation: { judge_model: 'gpt-4o' },
        constraints: ['Be kind to all people.'],
      })
      refused(outcome)
      assert.equal(model.received.length, 0)
    },
  ),
  beside(
    'posts to a host outside',
    'the endpoint of an http tool',
    'the call never leaves, and says why',
    async (t, model, argv) => {
      model.reset(calling([{ tool: 'post', args: {} }]))
      const outcome = await run(
        t,
        { tools: [{ name: 'post', description: 'x', protocol: 'http', endpoint: OUTSIDE }] },
        {},
        argv,
      )
      assert.equal(outcome.code, 0, outcome.out)
      assert.match(JSON.stringify(model.asked.at(-1)), /no proof that gateway\.us\.example keeps data in EU/)
    },
  ),
  beside(
    'posts to a server outside',
    'the servers of an OpenAPI document',
    'the call never leaves, and says why',
    async (t, model, argv) => {
      model.reset(calling([{ tool: 'post', args: {} }]))
      const api = {
        openapi: '3.1.0',
        info: { title: 'x', version: '1' },
        servers: [{ url: OUTSIDE }],
        paths: { '/x': { post: { operationId: 'post', responses: {} } } },
      }
      await run(
        t,
        { tools: [{ name: 'post', description: 'x', protocol: 'openapi', endpoint: 'api.json' }] },
        {},
        argv,
        { 'api.json': api },
      )
      assert.match(JSON.stringify(model.asked.at(-1)), /no proof that gateway\.us\.example keeps data in EU/)
    },
  ),
  beside(
    'calls a tool of a server outside',
    'an MCP server at an address',
    'the tool is denied, and the plan says why',
    async () => {
      for (const binding of [
        { url: 'https://mcp.us.example/mcp', tool: 'post' },
        { server: 'office', tool: 'post' },
      ] as JsonObject[]) {
        const plan = makePlan(
          {
            definition: definition({
              ...IN_EUROPE,
              tools: [{ name: 'post', description: 'x', protocol: 'mcp', endpoint: 'mcp://office' }],
            }) as never,
            definition_hash: 'a'.repeat(64),
            context: [],
            subagents: [],
            discovered: {
              post: {
                found: true,
                tools: [
                  {
                    name: 'post',
                    description: 'x',
                    parameters_schema: { type: 'object' },
                    read_only: false,
                    idempotent: false,
                    binding,
                  },
                ],
              },
            },
            functions: {},
          },
          {
            rehearsal: false,
            grants: { hosts: [parseHostGrant('mcp.us.example')] },
            key_bindings: {},
            secret_grants: [],
            tools: {},
            budget: {},
            residency: {},
            allow_deprecated: false,
            retry_base_ms: 1,
            mcp_servers: { office: { url: 'https://mcp.us.example/mcp' } },
          },
          { ...withSecrets(), priceOf: () => undefined },
        )
        assert.deepEqual([plan.tools[0]?.gate, plan.tools[0]?.rule], ['deny', 'AAIF-4.9-04'])
      }
    },
  ),
  beside(
    'turns a question into vectors elsewhere',
    'memory that is searched by similarity',
    'only the model receives a request',
    async (t, model, argv) => {
      const other = await others()
      await run(
        t,
        {
          memory: [
            { scope: 'task', backend: 'qdrant', key: 'k', content: 'c', retrieval_strategy: 'similarity' },
          ],
          model: { provider: 'custom', provider_id: 'custom', preferred: 'x' },
        },
        {},
        [...argv, '--allow-host', `127.0.0.1:${other.port}`],
      )
      assert.equal(other.touched, 0)
      assert.ok(model.received.every(({ path }) => path === '/v1/chat/completions'))
    },
  ),
  beside(
    'is sent on from inside to outside',
    'a redirect of the route on this machine',
    'the redirect is not followed',
    async (t) => {
      const other = await others()
      const relay = await listen(t, () => ({
        status: 307,
        headers: { location: `${other.url}/v1/chat/completions` },
      }))
      const outcome = await run(t, {}, {}, [
        '--model',
        'custom/x',
        '--base-url',
        `${relay.url}/v1`,
        '--allow-host',
        `127.0.0.1:${other.port}`,
      ])
      assert.equal(outcome.code, 3, outcome.out)
      assert.equal(relay.received.length > 0, true)
      assert.equal(other.touched, 0)
    },
  ),
  beside(
    'writes the region as it likes',
    'eu, EU with a space, and a list',
    'the document is refused',
    async (t, _model, argv) => {
      for (const region of ['eu', 'EU ', ['EU', 'US'], null] as Json[]) {
        const outcome = await run(t, { compliance: { data_residency: region } }, {}, argv)
        assert.equal(outcome.value.error?.code, 'DEFINITION_INVALID', JSON.stringify(region))
      }
    },
  ),
]

const controls: readonly Control[] = [
  {
    passes: 'the same routes are tried once the operator vouches for them',
    try: async (t) => {
      const claims = { residency: { acme: ['EU'] }, providers: { acme: { base_urls: [OUTSIDE] } } }
      const outcome = await run(t, { model: custom({}), runtime: { max_retries: 0 } }, claims)
      assert.equal(outcome.code, 3, outcome.out)
      const host = await run(
        t,
        { model: custom({}), runtime: { max_retries: 0 } },
        { residency: { 'gateway.us.example': ['EU'] } },
      )
      assert.equal(host.code, 3, host.out)
    },
  },
  {
    passes: 'the operator says what custom stands for, for a route of the definition and for a tool',
    try: async (t) => {
      const tool = { name: 'crm', description: 'x', protocol: 'http', endpoint: 'https://crm.us.example/v1' }
      const compliance = { data_residency: 'custom' }
      const agent = { model: custom({}), tools: [tool], compliance, runtime: { max_retries: 0 } }
      const residency = { 'gateway.us.example': ['custom'], 'crm.us.example': ['custom'] }
      const outcome = await run(t, agent as unknown as JsonObject, { residency })
      assert.equal(outcome.code, 3, outcome.out)
      assert.deepEqual(outcome.value.warnings, [])
    },
  },
  {
    passes: 'a model on this machine is asked, whatever the region',
    try: async (t) => {
      const model = await models()
      model.reset()
      const outcome = await run(t, { tools: [SEND_MAIL] }, {}, model.flags)
      assert.equal(outcome.code, 0, outcome.out)
      assert.equal(model.received.length, 1)
    },
  },
]

export const residency: Category = {
  name: 'Leaving the region',
  enforced: 'the plan: routes, judge, tool hosts and MCP servers, for sub-agents as well',
  file: 'test/redteam/residency.test.ts',
  attacks: numbered('region', [...routes, ...families, ...rest]),
  controls,
}
