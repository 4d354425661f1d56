import assert from 'node:assert/strict'
import type { JsonObject } from '../../src/document/json.ts'
import type { HostFacts, OperatorSettings } from '../../src/plan/operator-settings.ts'
import type { PlannedTool } from '../../src/plan/plan.ts'
import { planTools, type ToolLimits } from '../../src/plan/plan-tools.ts'
import type { DiscoveredTool, Snapshot } from '../../src/plan/snapshot.ts'
import { parseHostGrant } from '../../src/policy/endpoint-gate.ts'
import { definition, SETTINGS } from '../run/fixture.ts'
import { withSecrets } from './with-secrets.ts'

export interface World {
  readonly settings?: Partial<OperatorSettings>
  readonly snapshot?: Partial<Snapshot>
  readonly host?: Partial<HostFacts>
  readonly limits?: Partial<ToolLimits>
}

/** A host that is granted. */
export const HOST = 'desk.example'
export const URL_OF = `https://${HOST}/in`
const GRANTED = { grants: { hosts: [parseHostGrant(HOST)] } }
export const FUNCTION = { read_only: false, idempotent: false }
const EXTENSIONS = {
  protocols: {
    sql: { extension: 'db', reach: 'host' },
    csv: { extension: 'db', reach: 'file' },
    dice: { extension: 'db', reach: 'nothing' },
  },
  providers: {},
  backends: {},
} as const

/** Plans tools named `t`, unless they have another name, on a host that has what they need. */
export function plan(tools: readonly JsonObject[], { settings, snapshot, host, limits }: World = {}) {
  return planTools(
    {
      definition: definition({ tools: tools.map((tool) => ({ name: 't', description: 'T.', ...tool })) }),
      definition_hash: 'a'.repeat(64),
      context: [],
      subagents: [],
      discovered: {},
      functions: { t: FUNCTION },
      ...snapshot,
    },
    { ...SETTINGS, ...GRANTED, ...settings },
    { ...withSecrets('KEY'), priceOf: () => undefined, extensions: EXTENSIONS, ...host },
    { models: [], regions: [], asks: false, level: 'standard', ...limits },
  )
}

export function only(tool: JsonObject, world: World = {}): PlannedTool {
  const [planned, second] = plan([tool], world)
  assert.ok(planned !== undefined && second === undefined)
  return planned
}

export const REHEARSED = { settings: { rehearsal: true } }
export const BASE = { name: 't', description: 'T.', effect: 'write', idempotent: false, gate: 'allow' }
export const BEARER = { type: 'bearer', env_var: 'KEY' }
export const MAY_SIGN = { secret_grants: [{ name: 'KEY', host: HOST }] }

/** A tool as a server offers it. */
export function discoveredTool(name: string, more: Partial<DiscoveredTool> = {}): DiscoveredTool {
  return {
    name,
    description: `Does ${name}.`,
    parameters_schema: { type: 'object' },
    read_only: false,
    idempotent: false,
    binding: { at: name },
    ...more,
  }
}
