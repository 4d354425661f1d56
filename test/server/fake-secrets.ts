import { WaybillError } from '../../src/document/issue.ts'
import { assertSecretName, type SecretView, type TenantSecrets } from '../../src/platform/secrets/secret.ts'

const missing = () => new WaybillError('SECRET_NOT_FOUND', { fault: 'usage', message: 'not known' })

/** The secrets of one organisation, without values. */
export function fakeSecrets(): TenantSecrets {
  const secrets = new Map<string, SecretView>()
  return {
    list: async () => ({ items: [...secrets.values()], next: null }),
    async read(name) {
      const found = secrets.get(name)
      if (found === undefined) throw missing()
      return found
    },
    async set(name, { hosts }) {
      assertSecretName(name)
      const view = { name, hosts, set_at: '2026-01-01T00:00:00.000Z', set_by: 'ada', used_at: null }
      secrets.set(name, view)
      return view
    },
    async remove(name) {
      if (!secrets.delete(name)) throw missing()
    },
  }
}
