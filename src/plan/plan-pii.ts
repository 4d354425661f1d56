import { countsText, JsonCleaner } from '../policy/pii/clean-json.ts'
import { createPiiFinder } from '../policy/pii/find-pii.ts'
import { stricterPii } from '../policy/pii/pii-handling.ts'
import type { PiiKeyState } from '../policy/pii/pii-key.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import type { Inherited } from './inherited.ts'
import type { OperatorSettings, PiiKey } from './operator-settings.ts'
import type { PlannedMemory, PlannedPii, Refusal } from './plan.ts'

/** Returns the handling of personal data: that of the definition, or of a caller if that is stricter. */
export function planPii(
  { agent }: AgentDefinition,
  inherited: Inherited,
  { pii: settings = {} }: OperatorSettings,
  systemPrompt: string,
): PlannedPii {
  const own = agent.compliance?.pii_handling ?? 'detect'
  const handling = stricterPii(own, inherited.pii)
  if (handling === 'none') return { handling }
  const { key_env, ...finding } = settings
  const cleaner = new JsonCleaner(createPiiFinder(finding), null)
  cleaner.text(systemPrompt, '/system_prompt')
  const prompt = cleaner.counts().map(({ kind, count }) => ({ kind, count }))
  return {
    handling,
    ...(handling !== own && { inherited: true as const }),
    ...finding,
    ...(key_env !== undefined && (handling === 'anonymize' || handling === 'encrypt') && { key_env }),
    ...(prompt.length > 0 && { in_system_prompt: prompt }),
  }
}

/** Returns why a policy cannot be applied: encryption needs a key of the operator. */
export function piiRefusals({ handling, key_env }: PlannedPii, key: PiiKeyState): readonly Refusal[] {
  const needed = handling === 'encrypt' || (handling === 'anonymize' && key_env !== undefined)
  if (!needed || key === 'present') return []
  const missing = key === 'missing'
  return [
    {
      code: missing ? 'PII_KEY_MISSING' : 'PII_KEY_INVALID',
      message: missing
        ? `pii_handling is ${handling}, and ${key_env === undefined ? 'no key is configured' : `the key ${key_env} is not set`}`
        : `${key_env} does not contain a key of 32 bytes`,
      pointer: '/agent/compliance/pii_handling',
      rule: 'AAIF-4.9-07',
      hint:
        missing && key_env === undefined
          ? 'set `pii: { key_env: NAME }` in config.yaml, and set that variable to the output of `openssl rand -base64 32`'
          : `set ${key_env} to the output of \`openssl rand -base64 32\`; keep this key: without it the data cannot be decrypted`,
    },
  ]
}

/**
 * Removes personal data from declared memory items. An item outlives the run, so a placeholder could not be resolved later.
 * @returns the items, and refusals if the policy is to reject them
 */
export function withoutPiiInMemory(
  memory: readonly PlannedMemory[],
  pii: PlannedPii,
  key: PiiKey,
): { readonly memory: readonly PlannedMemory[]; readonly refusals: readonly Refusal[] } {
  const { handling } = pii
  if (handling === 'none' || handling === 'detect') return { memory, refusals: [] }
  const find = createPiiFinder(pii)
  const refusals: Refusal[] = []
  const clean = memory.map((entry, index): PlannedMemory => {
    const cleaner = new JsonCleaner(find, ({ kind, value }) =>
      handling === 'encrypt' && key.state === 'present' ? key.seal(value) : `[${kind} withheld]`,
    )
    const pointer = `/agent/memory/${index}/content`
    const content = cleaner.text(entry.content, pointer, entry.key)
    if (handling === 'reject' && content !== entry.content) {
      refusals.push({
        code: 'PII_REJECTED',
        message: `a memory item contains personal data: ${countsText(cleaner.counts())}`,
        pointer,
        rule: 'AAIF-4.9-07',
        hint: 'remove it from the definition, or set compliance.pii_handling to anonymize or encrypt',
      })
    }
    return { ...entry, content }
  })
  return { memory: clean, refusals }
}
