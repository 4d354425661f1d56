import type { RegistryPolicy } from './registration-policies.ts'

/** The six vocabularies of a definition that may grow without a new version of the format (§10). */
export const EXTENSION_POINTS = [
  'model.provider',
  'required_capabilities',
  'condition.lang',
  'vault_ref.provider',
  'memory.backend',
  'tool.protocol',
] as const
export type ExtensionPoint = (typeof EXTENSION_POINTS)[number]

/** The table of §10: the file name, the registry name and the policy of each registry. */
export interface RegistryInfo {
  readonly file: string
  readonly registry: string
  readonly policy: RegistryPolicy
}

export const REGISTRY_INFO: Readonly<Record<ExtensionPoint, RegistryInfo>> = {
  'model.provider': info('providers', 'aaif-model-providers', 'Specification Required'),
  required_capabilities: info('capabilities', 'aaif-capabilities', 'Expert Review'),
  'condition.lang': info('condition-languages', 'aaif-condition-languages', 'Specification Required'),
  'vault_ref.provider': info('vault-providers', 'aaif-vault-providers', 'Specification Required'),
  'memory.backend': info('memory-backends', 'aaif-memory-backends', 'Specification Required'),
  'tool.protocol': info('tool-protocols', 'aaif-tool-protocols', 'Standards Action'),
}

function info(name: string, registry: string, policy: RegistryPolicy): RegistryInfo {
  return { file: `${name}.json`, registry, policy }
}

/** Returns the extension point of a registry, by the registry name. */
export function extensionPointOf(registry: string): ExtensionPoint | undefined {
  return EXTENSION_POINTS.find((point) => REGISTRY_INFO[point].registry === registry)
}
