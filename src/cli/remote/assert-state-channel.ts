import { resolve } from 'node:path'
import { WaybillError } from '../../document/issue.ts'
import { homePath } from '../../settings/home.ts'
import { readConfig } from '../../settings/read-config.ts'
import type { Io } from '../io.ts'

/**
 * Checks that a state may be sent to or from a server: over http only within this machine, and not if the configuration
 * forbids it (`states.plaintext: never`, AAIF §12). {@link serverClient} refuses http to other machines.
 * @param config the file of `--config`
 * @throws TLS_REQUIRED
 */
export function assertStateChannel(url: string, io: Io, config?: string): void {
  if (new URL(url).protocol === 'https:') return
  const file = config === undefined ? undefined : resolve(io.cwd, config)
  if (readConfig(homePath(io.env), file).states?.plaintext !== 'never') return
  throw new WaybillError('TLS_REQUIRED', {
    fault: 'refused',
    message: `a state may not be sent to or from ${url}: states.plaintext is "never" in the configuration`,
    hint: 'use the https URL of the platform',
    rule: 'AAIF-12-15',
  })
}
