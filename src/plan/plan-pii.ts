import { countsText, JsonCleaner } from '../policy/pii/clean-json.ts'
import { createPiiFinder } from '../policy/pii/find-pii.ts'
import { stricterPii } from '../policy/pii/pii-handling.ts'
import type { PiiKeyState } from '../policy/pii/pii-key.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import type { Inherited } from './inherited.ts'
import type { OperatorSettings, PiiKey } from './operator-settings.ts'
import type { PlannedMemory, PlannedPii, Refusal } from './plan.ts'

/** How personal data will be handled: as the definition says, or as one that calls this agent says when that is stricter. */
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

/** What keeps a policy from being held: encryption needs the operator's key. */
export function piiRefusals({ handling, key_env }: PlannedPii, key: PiiKeyState): readonly Refusal[] {
  const needed = handling === 'encrypt' || (handling === 'anonymize' && key_env !== undefined)
  if (!needed || key === 'present') return []
  const missing = key === 'missing'
  return [
    {
      code: missing ? 'PII_KEY_MISSING' : 'PII_KEY_INVALID',
      message: missing
        ? `pii_handling is ${handling}, and ${key_env === undefined ? 'no key is configured' : `the key ${key_env} is not set`}`
        : `${key_env} holds no key of 32 bytes`,
      pointer: '/agent/compliance/pii_handling',
      rule: 'AAIF-4.9-07',
      hint:
        missing && key_env === undefined
          ? 'name a variable with `pii: { key_env: NAME }` in config.yaml, and put into it what `openssl rand -base64 32` prints'
          : `put into ${key_env} what \`openssl rand -base64 32\` prints; keep it, or nothing can be read again`,
    },
  ]
}

/**
 * Declared items of memory without personal data: an item outlives the run, so no placeholder could be read later.
 * @returns the items, and refusals where the policy is to reject them
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
        message: `an item of memory holds personal data: ${countsText(cleaner.counts())}`,
        pointer,
        rule: 'AAIF-4.9-07',
        hint: 'leave it out of the definition, or let the agent anonymize or encrypt it (compliance.pii_handling)',
      })
    }
    return { ...entry, content }
  })
  return { memory: clean, refusals }
}
