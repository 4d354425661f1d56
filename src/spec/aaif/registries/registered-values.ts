import { WaybillError } from '../../../document/issue.ts'
import type { Json } from '../../../document/json.ts'
import type { RegistryEntry } from '../generated/registry.ts'
import { parseRegistry } from '../parse-registry.ts'
import { EXTENSION_POINTS, type ExtensionPoint, extensionPointOf } from './extension-points.ts'
import { registryOf } from './registry-of.ts'

export type EntryStatus = RegistryEntry['status']

/**
 * Returns the status of every registered value, by extension point and id: built-in registries first, then loaded
 * registries in order. The last entry wins, so an operator can promote a provisional value or deprecate a standard one.
 * @throws WaybillError if a loaded registry is invalid or does not name an extension point.
 */
export function registeredValues(
  loaded: readonly Json[],
): ReadonlyMap<ExtensionPoint, ReadonlyMap<string, EntryStatus>> {
  const values = new Map<ExtensionPoint, Map<string, EntryStatus>>(
    EXTENSION_POINTS.map((point) => [point, statuses(registryOf(point).entries)]),
  )
  for (const source of loaded) {
    const { registry, entries } = parseRegistry(source)
    const point = extensionPointOf(registry)
    if (point === undefined) throw unknownRegistry(registry)
    for (const { id, status } of entries) values.get(point)?.set(id, status)
  }
  return values
}

function statuses(entries: readonly RegistryEntry[]): Map<string, EntryStatus> {
  return new Map(entries.map(({ id, status }) => [id, status]))
}

function unknownRegistry(registry: string): WaybillError {
  return new WaybillError('REGISTRY_UNKNOWN', {
    fault: 'usage',
    at: '/registry',
    message: `the registry ${registry} is not one of the extension points of agent definitions`,
    hint: 'the six names are listed in AAIF §10, such as aaif-model-providers',
    rule: 'AAIF-10-01',
  })
}
