import type { ErrorObject } from 'ajv'
import type { Finding } from '../../../document/finding.ts'
import { type Json, valueAt } from '../../../document/json.ts'
import { type PlaceTable, ruleAt } from '../place-table.ts'
import type { ExtensionPoint } from './extension-points.ts'
import type { Registered } from './registered.ts'

/** Maps schema paths of agent definitions to the extension points whose values they list. */
const PLACES: PlaceTable = [
  [/^\/agent\/model\/provider$/, 'model.provider'],
  [/\/(when|condition|filter|trigger)\/lang$/, 'condition.lang'],
  [/\/auth\/vault_ref\/provider$/, 'vault_ref.provider'],
  [/^\/agent\/memory\/\*\/backend$/, 'memory.backend'],
  [/^\/agent\/tools\/\*\/protocol$/, 'tool.protocol'],
] satisfies readonly (readonly [RegExp, ExtensionPoint])[]

export interface RegistryResult {
  /** The schema errors that remain. */
  readonly errors: readonly ErrorObject[]
  /** Findings that come from a registry. */
  readonly findings: readonly Finding[]
}

/**
 * Applies the registries to the schema errors (§10): a value that the schema does not list is valid if its entry is
 * standard or deprecated; a provisional or reserved value is refused with its own finding.
 */
export function applyRegistries(
  errors: readonly ErrorObject[],
  definition: Json,
  registered: Registered,
): RegistryResult {
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
    message: `"${id}" is registered as provisional: documents may not use it yet`,
    hint:
      point === 'model.provider'
        ? `write "provider": "custom" and "provider_id": "${id}"`
        : 'use a standard value, or "custom" if the list has it, until this value is standard',
    rule: 'SPEC-X-03',
  }
}

export function reserved(pointer: string, id: string, severity: 'error' | 'warning'): Finding {
  return {
    severity,
    code: 'VALUE_RESERVED',
    pointer,
    message: `"${id}" is reserved by the registry: documents may not use it`,
    hint: 'use another value',
    rule: 'SPEC-X-03',
  }
}
