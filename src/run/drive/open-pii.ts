import { WaybillError } from '../../document/issue.ts'
import type { Plan } from '../../plan/plan.ts'
import { piiRefusals } from '../../plan/plan-pii.ts'
import { piiKeyState, readPiiKey } from '../../policy/pii/pii-key.ts'
import type { Secrets } from '../ports.ts'
import { createPiiHandler, type PiiFinders } from './pii-handler.ts'
import type { PiiPort } from './pii-port.ts'
import { type PiiKeySource, type PiiPlace, PiiValues } from './pii-values.ts'

export interface OpenPii {
  readonly port: PiiPort
  readonly values: PiiValues
  /** The operator's key, which sealed values in texts are encrypted with. */
  readonly key?: Buffer
}

/**
 * Opens the placeholders for personal data of a run.
 * @param finders shared by all runs of the same plans
 * @throws PII_KEY_MISSING, PII_KEY_INVALID, PII_VALUES_UNREADABLE, and what `secrets` rejects with
 */
export async function openPii(
  plans: readonly Plan[],
  secrets: Secrets,
  place: PiiPlace | undefined,
  finders?: PiiFinders,
): Promise<OpenPii> {
  const keyed = plans.find(({ pii }) => pii?.key_env !== undefined || pii?.handling === 'encrypt')
  const name = keyed?.pii?.key_env
  const value = name === undefined ? undefined : await secrets.get(name)
  const key = value === undefined ? undefined : readPiiKey(value)
  if (keyed !== undefined && !keyed.rehearsal && keyed.pii !== undefined && keyed.refusals.length === 0) {
    const [refusal] = piiRefusals(keyed.pii, piiKeyState(value))
    if (refusal !== undefined) {
      const { code, pointer, ...rest } = refusal
      throw new WaybillError(code, { fault: 'failed', at: pointer, ...rest })
    }
  }
  const source: PiiKeySource =
    name !== undefined && key instanceof Buffer ? { type: 'operator', name, key } : { type: 'file' }
  const values = new PiiValues(source, place)
  return {
    values,
    port: createPiiHandler(values, key ?? undefined, finders),
    ...(key instanceof Buffer && { key }),
  }
}
