import type { Json, JsonObject } from '../../document/json.ts'

/** What a change does to the rights of an agent. */
export type Effect = 'widens' | 'narrows' | 'neutral'

/** One difference in the meaning of two definitions. */
export interface DefinitionChange {
  /** JSON Pointer into the second definition; of something that was removed, into the first. */
  readonly path: string
  readonly kind: 'added' | 'removed' | 'changed' | 'moved'
  readonly effect: Effect
  /** One sentence for people. */
  readonly reason: string
  /** Absent: it is not in the first definition. */
  readonly before?: Json
  /** Absent: it is not in the second definition. */
  readonly after?: Json
  /** JSON Pointer into the first definition, if it is there. */
  readonly before_path?: string
  /** JSON Pointer into the second definition, if it is there. */
  readonly after_path?: string
}

/** An effect, with the rest of the sentence that begins with the name of what changed. */
export interface Verdict {
  readonly effect: Effect
  /** Begins with a verb, such as `is raised from 10 to 20`. */
  readonly why: string
}

/** A member of both definitions, side by side. */
export interface Pair {
  /** Absent: the member is not in the first definition. */
  readonly before: Json | undefined
  readonly after: Json | undefined
  readonly beforePath: string
  readonly afterPath: string
  /** What people call it, such as `tool send_mail: endpoint`. */
  readonly name: string
  /** The value of an absent member, by the schema. */
  readonly byDefault: Json | undefined
  /** The objects that have the member. */
  readonly owners: Sides
  /** The `agent` members of both definitions. */
  readonly agents: Sides
  /** Compares all members of an object of this definition of the schema. */
  readonly compareMembers: (definition: string, pair: Pair) => readonly DefinitionChange[]
}

export interface Sides {
  readonly before: JsonObject
  readonly after: JsonObject
}

/** How the changes of one member are found and judged. */
export interface MemberRule {
  /** Whether a change of the member itself, or an item of it, can widen the rights of the agent. */
  readonly grants: boolean
  readonly compare: (pair: Pair) => readonly DefinitionChange[]
}

export const widens = (why: string): Verdict => ({ effect: 'widens', why })
export const narrows = (why: string): Verdict => ({ effect: 'narrows', why })
export const neutral = (why: string): Verdict => ({ effect: 'neutral', why })

/** Returns the change of a member as a whole. */
export function changeOf(
  { before, after, beforePath, afterPath, name }: Pair,
  { effect, why }: Verdict,
  moved = false,
): DefinitionChange {
  return {
    path: after === undefined ? beforePath : afterPath,
    kind: moved ? 'moved' : before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
    effect,
    reason: `${name} ${why}`,
    ...(before !== undefined && { before, before_path: beforePath }),
    ...(after !== undefined && { after, after_path: afterPath }),
  }
}

/** In characters. */
const LONGEST_QUOTE = 60

/** Returns a value for a sentence: short, and on one line. */
export function quoted(value: Json | undefined): string {
  if (value === undefined) return 'absent'
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s+/g, ' ')
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE - 1)}…` : text
}
