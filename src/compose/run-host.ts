import { defined } from '../document/defined.ts'
import type { Records } from '../run/record/records.ts'
import type { RunHost } from '../session/run-host.ts'
import { assertFunctions } from './functions.ts'
import { openWorld } from './open-ports.ts'
import type { Parts } from './parts.ts'

/**
 * Returns the host of a run from its parts.
 * @param records the records of runs if there is no home
 */
export function runHost(parts: Parts, by: string, records: Records): RunHost {
  const { home } = parts
  return {
    records,
    by,
    settings: parts.settings,
    kept: home !== undefined,
    ...defined({ auditsSecrets: parts.auditsSecrets }),
    ...(home !== undefined && { piiKeys: home.piiKeys }),
    openWorld: (plans, definitions) => openWorld(plans, parts, definitions),
    assertReady: (plans) => {
      for (const plan of plans) assertFunctions(plan, parts)
    },
  }
}
