import { isDeepStrictEqual } from 'node:util'
import type { AgentCard, Capability } from './generated/agent-card.ts'
import { compareSemVer, readSemVer, type SemVer } from './sem-ver.ts'

/** The version number that a change must raise, lowest first. */
export const CHANGE_LEVELS = ['none', 'patch', 'minor', 'major'] as const
export type ChangeLevel = (typeof CHANGE_LEVELS)[number]

export interface CardChange {
  /** Pointer into the new card; for a removed member, into the old card. */
  readonly pointer: string
  readonly level: ChangeLevel
  readonly message: string
}

export interface VersionAdvice {
  /** The highest level among the changes. */
  readonly level: ChangeLevel
  readonly changes: readonly CardChange[]
  /** The lowest valid new version; the old version if nothing changed. */
  readonly next: string
  /** True if the version of the second card is high enough. */
  readonly enough: boolean
}

/**
 * Returns the version that the changes in a card require (AgentCard §2.3): PATCH for corrected data, MINOR for added
 * capabilities, MAJOR for removed capabilities and for an endpoint that callers no longer reach. Where the draft has no
 * rule: a new credential, a new required input and a new agent_id are also MAJOR. Both cards must be valid.
 */
export function adviseVersion(before: AgentCard, after: AgentCard): VersionAdvice {
  const changes = [...changesOf(before, after)]
  const level = changes.reduce<ChangeLevel>((highest, change) => higherLevel(highest, change.level), 'none')
  const [old, now] = [readSemVer(before.version), readSemVer(after.version)]
  if (old === undefined || now === undefined) throw new TypeError('adviseVersion needs valid cards')
  const enough = isRaised(old, now, level)
  return { level, changes, next: nextVersion(before.version, old, level), enough }
}

function* changesOf(before: AgentCard, after: AgentCard): Iterable<CardChange> {
  if (before.agent_id !== after.agent_id) {
    yield { pointer: '/agent_id', level: 'major', message: 'agent_id changed: this is another agent' }
  }
  yield* endpointChanges(before, after)
  yield* capabilityChanges(before.capabilities, after.capabilities)
  const compared = new Set(['agent_id', 'version', 'capabilities', 'endpoint'])
  for (const member of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (compared.has(member) || isDeepStrictEqual(before[member], after[member])) continue
    yield { pointer: `/${member}`, level: 'patch', message: `${member} changed` }
  }
}

function* endpointChanges(
  { endpoint: before }: AgentCard,
  { endpoint: after }: AgentCard,
): Iterable<CardChange> {
  if (before.protocol !== after.protocol) {
    yield { pointer: '/endpoint/protocol', level: 'major', message: 'callers must use another protocol' }
  }
  if (plainUrl(before.url) !== plainUrl(after.url)) {
    yield { pointer: '/endpoint/url', level: 'major', message: 'callers must use another address' }
  } else if (before.url !== after.url) {
    yield { pointer: '/endpoint/url', level: 'patch', message: 'the same address is written differently' }
  }
  const [old, now] = [before.auth?.scheme ?? 'none', after.auth?.scheme ?? 'none']
  if (old !== now) {
    const level = now === 'none' ? 'patch' : 'major'
    yield { pointer: '/endpoint/auth', level, message: `callers authenticate by ${now}, not by ${old}` }
  }
}

function* capabilityChanges(
  before: readonly Capability[],
  after: readonly Capability[],
): Iterable<CardChange> {
  const now = new Map(after.map((capability, index) => [capability.id, { capability, index }]))
  const old = new Map(before.map((capability) => [capability.id, capability]))
  for (const [index, { id }] of before.entries()) {
    if (now.has(id)) continue
    yield { pointer: `/capabilities/${index}`, level: 'major', message: `capability "${id}" was removed` }
  }
  for (const [id, { capability, index }] of now) {
    const pointer = `/capabilities/${index}`
    const was = old.get(id)
    if (was === undefined) yield { pointer, level: 'minor', message: `capability "${id}" was added` }
    else if (!isDeepStrictEqual(was, capability)) yield changeOfOne(was, capability, pointer)
  }
  const kept = (list: readonly Capability[]) =>
    list.map(({ id }) => id).filter((id) => old.has(id) && now.has(id))
  if (!isDeepStrictEqual(kept(before), kept(after))) {
    yield { pointer: '/capabilities', level: 'patch', message: 'the order of the capabilities changed' }
  }
}

function changeOfOne(before: Capability, after: Capability, pointer: string): CardChange {
  const asked = requiredOf(before)
  const added = requiredOf(after).filter((name) => !asked.includes(name))
  if (added.length > 0) {
    return { pointer, level: 'major', message: `"${after.id}" now requires ${added.join(', ')}` }
  }
  const same =
    isDeepStrictEqual(before.input_schema, after.input_schema) &&
    isDeepStrictEqual(before.output_schema, after.output_schema)
  return same
    ? { pointer, level: 'patch', message: `"${after.id}" has another description` }
    : {
        pointer,
        level: 'minor',
        message: `"${after.id}" has another input or output schema; MAJOR if callers break`,
      }
}

function requiredOf({ input_schema }: Capability): readonly unknown[] {
  return Array.isArray(input_schema?.required) ? input_schema.required : []
}

/** Returns an address in normal form: case of scheme and host, default ports and dot segments do not matter. */
function plainUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url
}

function higherLevel(a: ChangeLevel, b: ChangeLevel): ChangeLevel {
  return CHANGE_LEVELS.indexOf(a) >= CHANGE_LEVELS.indexOf(b) ? a : b
}

function isRaised(before: SemVer, after: SemVer, level: ChangeLevel): boolean {
  const order = compareSemVer(after, before)
  if (level === 'none') return order >= 0
  // A pre-release makes no compatibility promise, so any later version is high enough.
  if (order <= 0 || before.preRelease.length > 0) return order > 0
  const numbers = { major: 1, minor: 2, patch: 3 }[level]
  const [a, b] = [after.core.slice(0, numbers), before.core.slice(0, numbers)]
  return !isDeepStrictEqual(a, b)
}

function nextVersion(version: string, { core, preRelease }: SemVer, level: ChangeLevel): string {
  const [major, minor, patch] = core
  if (preRelease.length > 0 && level !== 'none') return `${major}.${minor}.${patch}`
  switch (level) {
    case 'none':
      return version
    case 'major':
      return `${major + 1n}.0.0`
    case 'minor':
      return `${major}.${minor + 1n}.0`
    case 'patch':
      return `${major}.${minor}.${patch + 1n}`
  }
}
