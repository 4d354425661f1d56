import type { ErrorObject } from 'ajv'
import type { Finding } from '../../../document/finding.ts'
import { type Json, valueAt } from '../../../document/json.ts'
import { type PlaceTable, ruleAt } from '../place-table.ts'
import type { ExtensionPoint } from './extension-points.ts'
import type { Registered } from './registered.ts'

/** Where the schema of agent definitions lists the words of an extension point. */
const PLACES: PlaceTable = [
  [/^\/agent\/model\/provider$/, 'model.provider'],
  [/\/(when|condition|filter|trigger)\/lang$/, 'condition.lang'],
  [/\/auth\/vault_ref\/provider$/, 'vault_ref.provider'],
  [/^\/agent\/memory\/\*\/backend$/, 'memory.backend'],
  [/^\/agent\/tools\/\*\/protocol$/, 'tool.protocol'],
] satisfies readonly (readonly [RegExp, ExtensionPoint])[]

export interface Forgiven {
  /** What of the schema stage still stands. */
  readonly errors: readonly ErrorObject[]
  /** Refusals that only a registry can explain. */
  readonly findings: readonly Finding[]
}

/**
 * The registries' say in the schema stage (§10): a word that the schema does not list is conformant when its entry is
 * standard, and still usable when it is deprecated; one that is provisional or reserved is refused for that reason.
 */
export function forgiveRegistered(
  errors: readonly ErrorObject[],
  definition: Json,
  registered: Registered,
): Forgiven {
  const kept: ErrorObject[] = []
  const findings: Finding[] = []
  for (const error of errors) {
    const point = error.keyword === 'enum' ? ruleAt(error.instancePath, PLACES, '') : ''
    const id = point === '' ? undefined : valueAt(definition, error.instancePath)
    const status = typeof id === 'string' ? registered.statusOf(point as ExtensionPoint, id) : undefined
    if (status === undefined) kept.push(error)
    else if (status === 'provisional') findings.push(provisional(error.instancePath, point, id as string))
    else if (status === 'reserved') findings.push(reserved(error.instancePath, id as string, 'error'))
  }
  return { errors: kept, findings }
}

function provisional(pointer: string, point: string, id: string): Finding {
  return {
    severity: 'error',
    code: 'VALUE_PROVISIONAL',
    pointer,
    message: `"${id}" is registered, but only provisionally: documents may not use it as such yet`,
    hint:
      point === 'model.provider'
        ? `write "provider": "custom" and "provider_id": "${id}"`
        : 'use a standard value, or "custom" where there is one, until this one is standard',
    rule: 'SPEC-X-03',
  }
}

export function reserved(pointer: string, id: string, severity: 'error' | 'warning'): Finding {
  return {
    severity,
    code: 'VALUE_RESERVED',
    pointer,
    message: `"${id}" is reserved: the registry keeps the name, and nobody may use it yet`,
    hint: 'use another value',
    rule: 'SPEC-X-03',
  }
}
