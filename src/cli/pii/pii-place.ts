import { join } from 'node:path'
import type { PiiPlace } from '../../run/drive/pii-values.ts'
import type { RunHeader } from '../../run/record/run-header.ts'
import { piiKeysFolder, runsFolder } from '../../settings/home.ts'

/** A sub-agent's run shares what stands for personal data with the run that a person started. */
export function piiPlaceOf(header: RunHeader, env: Readonly<Record<string, string | undefined>>): PiiPlace {
  const runId = header.parent?.root_run_id ?? header.run_id
  return { folder: join(runsFolder(env), runId), runId, keys: piiKeysFolder(env) }
}
