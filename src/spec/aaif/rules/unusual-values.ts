import type { Finding } from '../../../document/finding.ts'
import type { AgentDefinition } from '../generated/agent.ts'
import { SC_VERSION } from '../vocabulary.ts'

/** Warns about values that the schema accepts, but that do not mean what their author expects. */
export function* checkUnusualValues(definition: AgentDefinition): Iterable<Finding> {
  yield* checkScVersion(definition)
  yield* checkProvider(definition)
  yield* checkApprovalTimeout(definition)
}

/** Warns about a version of the format that this product does not know: its members are read as those of 3.4.0. */
export function* checkScVersion(document: object, rule = 'AAIF-4-04'): Iterable<Finding> {
  const { sc_version } = document as { readonly sc_version?: unknown }
  // Another form is an error of the schema, or a member that readers ignore.
  if (typeof sc_version !== 'string' || !/^\d+\.\d+\.\d+$/.test(sc_version)) return
  const parts = sc_version.split('.')
  const written = parts.map(Number).join('.')
  const found = { severity: 'warning', code: 'SC_VERSION_UNKNOWN', pointer: '/sc_version' } as const
  if (written !== sc_version) {
    yield {
      ...found,
      message: 'a number of sc_version begins with 0, so other readers may not recognise the version',
      hint: `write ${written}`,
      rule,
    }
  }
  if (!isKnownVersion(sc_version)) {
    yield {
      ...found,
      message: `the version ${sc_version} of the format is not known here: the document is read as ${SC_VERSION}`,
      hint: `write ${SC_VERSION}, or use a reader that knows version ${sc_version}`,
      rule,
    }
  }
}

/** Returns whether documents of this version are read as they are meant: those of every edition up to 3.4.0. */
export function isKnownVersion(version: string): boolean {
  const parts = version.split('.').map(Number)
  return parts[0] !== 0 && !isNewer(parts, SC_VERSION.split('.').map(Number))
}

function isNewer(a: readonly number[], b: readonly number[]): boolean {
  const place = a.findIndex((part, index) => part !== b[index])
  return place >= 0 && (a[place] ?? 0) > (b[place] ?? 0)
}

function* checkProvider({ agent }: AgentDefinition): Iterable<Finding> {
  const { provider, preferred, base_url } = agent.model ?? {}
  if (preferred === undefined || provider !== undefined) return
  yield {
    severity: 'warning',
    code: 'PROVIDER_MISSING',
    pointer: '/agent/model/provider',
    mark: 'parent',
    message: `${preferred} is named without its provider, so each platform chooses one, or refuses the route`,
    hint: `add "provider"${base_url === undefined ? '' : ': "custom" for a server of your own'}`,
    rule: 'SPEC-D-06',
  }
}

function* checkApprovalTimeout({ agent }: AgentDefinition): Iterable<Finding> {
  const seconds = agent.compliance?.human_in_the_loop?.timeout_seconds
  if (seconds === undefined || seconds >= 1) return
  yield {
    severity: 'warning',
    code: 'APPROVAL_TIMEOUT_UNUSABLE',
    pointer: '/agent/compliance/human_in_the_loop/timeout_seconds',
    message: `the time for an approval is ${seconds} s, so every call is denied before a person can answer`,
    hint: 'give at least 1, or remove timeout_seconds to wait without a limit',
    rule: 'AAIF-4.9-12',
  }
}
