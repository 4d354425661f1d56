import { type OpenPii, openPii } from '../run/drive/open-pii.ts'
import type { StoredRun } from '../run/record/records.ts'
import { rootRunId } from '../run/record/run-header.ts'
import type { Home } from './home.ts'

/**
 * Opens the personal data of a recorded run, which the runs of its sub-agents share.
 * @throws PII_KEY_MISSING, PII_KEY_INVALID, PII_VALUES_UNREADABLE
 */
export async function openRecordedPii(
  { piiKeys: keys, secrets, runs }: Pick<Home, 'piiKeys' | 'secrets' | 'runs'>,
  { header, plan, family }: StoredRun,
): Promise<OpenPii> {
  const runId = rootRunId(header)
  return openPii([plan, ...family], secrets, { runId, keys, sealed: await runs.sealed(runId) })
}
