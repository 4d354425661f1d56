import type { Registry } from '../generated/registry.ts'
import { capabilitiesRegistry } from './capabilities.registry.ts'
import { conditionLanguagesRegistry } from './condition-languages.registry.ts'
import type { ExtensionPoint } from './extension-points.ts'
import { memoryBackendsRegistry } from './memory-backends.registry.ts'
import { providersRegistry } from './providers.registry.ts'
import { toolProtocolsRegistry } from './tool-protocols.registry.ts'
import { vaultProvidersRegistry } from './vault-providers.registry.ts'

const REGISTRIES: Readonly<Record<ExtensionPoint, Registry>> = {
  'model.provider': providersRegistry,
  required_capabilities: capabilitiesRegistry,
  'condition.lang': conditionLanguagesRegistry,
  'vault_ref.provider': vaultProvidersRegistry,
  'memory.backend': memoryBackendsRegistry,
  'tool.protocol': toolProtocolsRegistry,
}

/** Returns the built-in registry of an extension point (§10). */
export function registryOf(point: ExtensionPoint): Registry {
  return REGISTRIES[point]
}
