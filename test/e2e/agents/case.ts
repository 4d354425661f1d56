import type { Json, JsonObject } from '../../../src/document/json.ts'
import { type Conversation, type Said, wantsCalls } from './conversation.ts'
import { agent, failed, model, run, tool } from './span-tree.ts'

/** Agents that work together: what they are, what their models say, and what must come of it. */
export interface AgentCase {
  /** What it shows, with the ids of the requirements that it proves. */
  readonly name: string
  /** By name; the first is the one that is asked. */
  readonly players: Readonly<Record<string, Player>>
  readonly input?: Json
  /** What the run comes to: its output, or the code of its error. */
  readonly output?: Json
  readonly error?: string
  readonly warnings?: readonly string[]
  /** Who has written, each once. */
  readonly wrote: readonly string[]
  /** The types of events in the record of each agent that worked; absent of a player: those that it always has. */
  readonly events: Readonly<Record<string, string>>
  readonly spans: string
  /** Who is stopped when another is faster: a kill may change how far it came, but not what comes of the run. */
  readonly race?: readonly string[]
  /** What the model of an agent was shown when it was last asked. */
  readonly told?: Readonly<Record<string, Told>>
}

export interface Told {
  /** Roles of the messages; the system prompt is the first. */
  readonly roles: string
  readonly holds?: readonly string[]
  readonly lacks?: readonly string[]
}

export interface Player {
  /** Members of its definition, beside name and goal. */
  readonly members: JsonObject
  /** What its model says; absent: it has none. */
  readonly says?: (conversation: Conversation) => Said
  /** How long its model takes for its first answer, in milliseconds. */
  readonly slowMs?: number
  /** Whose models have been broken before its own answers, unless they wait for a person. */
  readonly after?: readonly string[]
  /** The types of events in its record when it comes to its end. */
  readonly events: string
  /** The spans below the call that it gets. */
  readonly spans: (name: string) => string
}

/** Has no model of its own: what comes of it is what the others make of it. */
export function leads(orchestration: JsonObject, more: JsonObject = {}): Player {
  return { members: { orchestration, ...more }, events: '', spans: () => '' }
}

/** Writes once, and then says this. */
export function writes(text: string | ((task: string) => string), members: JsonObject = {}): Player {
  return {
    members: { tools: [WRITE], ...members },
    says: ({ task, results }) =>
      results.length === 0 ? wantsCalls(['write', {}]) : typeof text === 'string' ? text : text(task),
    events: 'run.started model.answered call.answered model.answered',
    spans: (name) => run(name, model(name), tool('write'), model(name)),
  }
}

/** Writes once, and then its model is broken. */
export function writesAndBreaks(): Player {
  return {
    ...writes(''),
    says: ({ results }) => (results.length === 0 ? wantsCalls(['write', {}]) : null),
    events: 'run.started model.answered call.answered model.failed',
    spans: (name) => failed(run(name, model(name), tool('write'), failed(model(name)))),
  }
}

/** Says this and does nothing else. */
export function says(text: string, members: JsonObject = {}, slowMs = 0): Player {
  return {
    members,
    says: () => text,
    slowMs,
    events: 'run.started model.answered',
    spans: (name) => run(name, model(name)),
  }
}

/** Would say something, and is stopped before it can. */
export function isTooLate(): Player {
  return {
    ...says('too late', {}, 10_000),
    events: 'run.started run.cancelled',
    spans: (name) => failed(run(name, failed(model(name)))),
  }
}

/** What a call of this player looks like in the trace. */
export function called([name, player]: readonly [string, Player]): string {
  const below = player.spans(name)
  return below.startsWith('!') ? failed(agent(name, below)) : agent(name, below)
}

export const subagents = (...names: string[]) => names.map((name) => ({ ref: name, alias: name }))

export const WRITE: JsonObject = {
  name: 'write',
  description: 'Writes.',
  protocol: 'function',
  parameters_schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
}
