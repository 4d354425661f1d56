import type { Feature, Opened } from '../feature.ts'
import type { InstallationKey } from './installation-key.ts'
import { SECRET_ROUTES } from './routes.ts'
import type { SecretsOf } from './secret.ts'
import { SECRET_TABLES } from './tables.ts'
import { tenantSecrets } from './tenant-secrets.ts'

/** @public It is named by the declarations of the package. */
export interface SecretParts {
  readonly secrets: {
    /** Protects the secrets of organisations. */
    readonly key: InstallationKey
    /** A secret has changed, in this process. */
    readonly changed: () => void
  }
}

export const SECRETS = {
  name: 'secrets',
  tables: SECRET_TABLES,
  members: {
    secrets:
      ({ org, within }: Opened, { secrets }: SecretParts): SecretsOf =>
      async (organisation = org) =>
        tenantSecrets({ ...(await within(organisation)), ...secrets }),
  },
  tags: { secrets: 'Credentials of providers and tools, which are never shown again.' },
  routes: SECRET_ROUTES,
} satisfies Feature<SecretParts, { readonly secrets: SecretsOf }>
