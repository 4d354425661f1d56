import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { JsonObject } from '../../../src/document/json.ts'
import { until } from '../../platform/leg-place.ts'
import {
  type MovingPlatform,
  type MovingSite,
  type MovingSiteOptions,
  movingSite,
} from '../../platform/moving-site.ts'
import { definitionOf } from '../../platform/organisation.ts'
import { type CountingTools, countingTools } from './counting-tools.ts'
import { type Gates, gates as newGates } from './gates.ts'
import { type Reply, type SceneModel, sceneModel, script, tagged } from './scene-model.ts'

export type Method = 'document' | 'stream'
export const METHODS: readonly Method[] = ['document', 'stream']

/** What a run leads to, whichever platforms it was on. */
export interface Outcome {
  readonly status: string
  readonly output: unknown
  readonly usage: JsonObject
  readonly subagents: readonly string[]
  /** The requests of the tools, without the keys that contain the id of the run. */
  readonly calls: readonly string[]
  readonly questions: readonly string[]
}

export interface SceneSite extends MovingSite {
  readonly gates: Gates
  readonly model: SceneModel
  readonly tools: CountingTools
  /** Uploads an agent to a. @returns its id */
  agent(replies: readonly Reply[], members?: object): Promise<string>
  /** Starts a run at a platform. */
  start(agentId: string, tag: string, members?: object, platform?: MovingPlatform): Promise<string>
  /** Returns a mark that no other run has. */
  tag(): string
  /** Moves a run. @returns the run there */
  moved(from: MovingPlatform, runId: string, method: Method): Promise<string>
  /** Returns what a run that has ended has led to. */
  outcome(platform: MovingPlatform, runId: string, tag: string): Promise<Outcome>
  /** Starts a run that stays at a, and waits until it has ended. */
  unmoved(agentId: string, members?: object, status?: string): Promise<Outcome>
}

/** HTTP tools of the agents: `look` reads, `put` writes, `store` writes once for each key. */
const TOOL_NAMES = ['look', 'put', 'store'] as const

/** Two platforms that share nothing but a model, a tool server, and what was pinned. */
export async function sceneSite(
  t: TestContext,
  options: Pick<MovingSiteOptions, 'relays'> = {},
): Promise<SceneSite> {
  const gates = newGates()
  const model = await sceneModel(t, gates)
  const tools = await countingTools(t, gates)
  const site = await movingSite(t, {
    ...options,
    config: {
      providers: { openai: { base_urls: [model.url] } },
      private_hosts: [tools.host],
      tools: { look: { method: 'GET' }, store: { idempotent: true } },
    },
  })
  const { a } = site
  let agents = 0
  let tags = 0
  const tag = () => `t${String(++tags).padStart(4, '0')}`
  const start: SceneSite['start'] = async (agentId, mark, members = {}, platform = a) =>
    (await platform.ok('POST', `/v1/agents/${agentId}/runs`, { input: tagged(mark), ...members })).run_id
  const outcome: SceneSite['outcome'] = async (platform, runId, mark) => {
    const { status, output, usage, subagents = [] } = await platform.ok('GET', `/v1/runs/${runId}`)
    const text = (value: unknown) => JSON.stringify(value ?? null).replaceAll(mark, 'TAG')
    const { input_tokens, output_tokens, tool_calls } = usage
    return {
      status,
      output: JSON.parse(text(output)),
      usage: { input_tokens, output_tokens, tool_calls },
      subagents: subagents.map((one: JsonObject) => `${one.alias} ${one.status}`).sort(),
      calls: tools
        .of(mark)
        .map(({ tool, args }) => text([tool, args]))
        .sort(),
      questions: model.questions(mark),
    }
  }
  return {
    ...site,
    gates,
    model,
    tools,
    tag,
    start,
    outcome,
    async agent(replies, members = {}) {
      const agent_id = `0198c0de-0000-7000-8000-${String(++agents).padStart(12, '0')}`
      await a.upload(
        definitionOf(
          {
            name: `Agent ${agents}`,
            version: '1.0.0',
            goal: script(...replies),
            model: { provider: 'openai', preferred: 'gpt-4o', base_url: model.url },
            tools: TOOL_NAMES.map((name) => ({
              name,
              description: `Acts: ${name}.`,
              protocol: 'http',
              endpoint: `${tools.url}/${name}`,
              parameters_schema: {
                type: 'object',
                properties: { tag: { type: 'string' }, what: { type: 'string' } },
                required: ['tag', 'what'],
                additionalProperties: false,
              },
            })),
            ...members,
          },
          { agent_id },
        ),
      )
      return agent_id
    },
    async moved(from, runId, method) {
      const { json } = await from.send('POST', `/v1/runs/${runId}/migrate`, { to: 'other', method })
      assert.equal(json.state, 'moved', JSON.stringify(json))
      return json.target_run_id
    },
    async unmoved(agentId, members = {}, status = 'completed') {
      const mark = tag()
      const runId = await start(agentId, mark, members)
      await a.reaches(runId, status)
      return outcome(a, runId, mark)
    },
  }
}

/** A call of one of the tools, in the script of an agent. */
export function call(tool: (typeof TOOL_NAMES)[number], what: string) {
  return { call: tool, args: { tag: '{tag}', what } }
}

/** Answers the only open question of a run. */
export async function decide(platform: MovingPlatform, runId: string, verdict: JsonObject): Promise<void> {
  const { items } = await platform.ok('GET', `/v1/approvals?run_id=${runId}`)
  assert.equal(items.length, 1, JSON.stringify(items))
  await platform.ok('POST', `/v1/approvals/${items[0].id}`, verdict)
}

/** Returns the facts of the audit log of a platform, of these kinds. */
export async function auditFacts(
  platform: MovingPlatform,
  kinds: readonly string[],
): Promise<readonly JsonObject[]> {
  const facts: JsonObject[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { items, next }: { readonly items: readonly JsonObject[]; readonly next: string | null } =
      await platform.ok('GET', `/v1/audit?limit=1000${cursor === '' ? '' : `&cursor=${cursor}`}`)
    facts.push(...items.map(({ fact }) => fact as JsonObject))
    cursor = next
  }
  return facts.filter(({ kind }) => kinds.includes(String(kind)))
}

/** Waits until a move has paused the run at its old platform, while its calls are in flight. */
export async function isPaused(platform: MovingPlatform, runId: string): Promise<void> {
  await until(
    async () =>
      (await platform.ok('GET', `/v1/runs/${runId}`)).status === 'paused' ||
      (
        await platform.sql('SELECT 1 FROM waybill.moves WHERE run_id = $1 AND phase <> $2', [
          runId,
          'pausing',
        ])
      ).length > 0,
  )
}
