import type { Registry } from '../generated/registry.ts'

/** `tools[].auth.vault_ref.provider` (§4.4). */
export const vaultProvidersRegistry: Registry = {
  registry: 'aaif-vault-providers',
  sc_standard: 'SC-006',
  description: 'Vaults from which a platform can read the secret of a tool.',
  registration_policy: 'Specification Required',
  entries: [
    vault('aws_secretsmanager', 'https://docs.aws.amazon.com/secretsmanager', 'Path: an ARN or a name.'),
    vault('hashicorp_vault', 'https://developer.hashicorp.com/vault', 'Path: mount and path of the secret.'),
    vault(
      'azure_keyvault',
      'https://learn.microsoft.com/azure/key-vault',
      'Path: the address of the secret in its key vault.',
    ),
    vault(
      'gcp_secretmanager',
      'https://cloud.google.com/secret-manager',
      'Path: project, secret and version as the service names them.',
    ),
    vault('1password', 'https://developer.1password.com', 'Path: op://vault/item/field.'),
    vault('custom', null, 'Path: as the vault defines it.'),
  ],
}

function vault(id: string, docs: string | null, meaning: string) {
  return { id, status: 'standard', since: '2.1.0', docs, meaning } as const
}
