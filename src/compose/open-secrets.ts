import { environmentSecrets } from '../adapters/secrets/environment-secrets.ts'
import type { Secrets } from '../run/ports.ts'
import type { Env } from './parts.ts'

/** Opens the store of secrets of a process: its environment. */
export function openSecrets(env: Env): Secrets {
  return environmentSecrets(env)
}
