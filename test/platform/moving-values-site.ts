import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../src/document/json.ts'
import type { FidelityEntry, FidelityReport } from '../../src/state/fidelity.ts'
import type { MovingPlatform } from './moving-site.ts'
import { AGENT, definitionOf } from './organisation.ts'

const PARAMETERS = {
  type: 'object',
  // Placeholders do not match it: the real value does.
  properties: { to: { type: 'string', pattern: '^[^@]+@[^@]+$' } },
  additionalProperties: false,
}

export const clerk = (base_url: string, pii_handling: string, root: object = {}) =>
  definitionOf(
    {
      name: `Clerk ${JSON.stringify(root)}`,
      version: '1.0.0',
      model: { provider: 'openai', preferred: 'gpt-4o', base_url },
      tools: [{ name: 'send', description: 'Sends.', parameters_schema: PARAMETERS }],
      compliance: { human_in_the_loop: { enabled: true }, pii_handling },
    },
    root,
  )

export const start = async (platform: MovingPlatform, to: string, members: object = {}, agent = AGENT) => {
  const input = JSON.stringify({ tool: 'send', to })
  const { run_id } = await platform.ok('POST', `/v1/agents/${agent}/runs`, { input, ...members })
  await platform.reaches(run_id, 'awaiting_approval')
  return run_id as string
}

export const move = (platform: MovingPlatform, runId: string, members: object = {}) =>
  platform.send('POST', `/v1/runs/${runId}/migrate`, { to: 'other', ...members })

export const moved = async (
  platform: MovingPlatform,
  runId: string,
  members: object = {},
): Promise<string> => {
  const { json } = await move(platform, runId, members)
  assert.equal(json.state, 'moved', JSON.stringify(json))
  return json.target_run_id
}

export const decide = async (platform: MovingPlatform, runId: string, decision: object) => {
  await platform.reaches(runId, 'awaiting_approval')
  const { items } = await platform.ok('GET', '/v1/approvals')
  const open = items.find((one: { run_id: string; root_run_id?: string }) =>
    [one.run_id, one.root_run_id].includes(runId),
  )
  const { id, digest } = open ?? items[0]
  await platform.ok('POST', `/v1/approvals/${id}`, { ...decision, digest })
}

export const approve = async (platform: MovingPlatform, runId: string) => {
  await decide(platform, runId, { verdict: 'approve' })
  await platform.reaches(runId, 'completed')
}

export const valuesOf = ({ entries }: FidelityReport): readonly FidelityEntry[] =>
  entries.filter(({ part }) => part === 'x-waybill.personal_data')

export const auditOf = async (platform: MovingPlatform, kind: string): Promise<readonly JsonObject[]> =>
  (await platform.ok('GET', '/v1/audit')).items
    .map((line: { fact?: JsonObject }) => line.fact ?? line)
    .filter((fact: { kind: string }) => fact.kind === kind)

export const keyFile = (platform: MovingPlatform, runId: string) =>
  existsSync(join(platform.home, 'keys', 'pii', `${runId}.key`))

/** The value is in no table and in no output of either platform. */
export const assertNowhere = async (
  platforms: readonly MovingPlatform[],
  value: RegExp,
  answers: unknown = null,
) => {
  for (const platform of platforms) {
    assert.doesNotMatch(await platform.rows(), value)
    assert.doesNotMatch(platform.logged(), value)
  }
  assert.doesNotMatch(JSON.stringify(answers), value)
}
