import type { Json, JsonObject } from '../../../src/document/json.ts'
import { type Conversation, type Said, wantsCalls } from './conversation.ts'
import { agent, failed, model, run, tool } from './span-tree.ts'

/** A case of orchestration: the agents, the answers of their models, and the expected outcome. */
export interface AgentCase {
  /** The rule, with the ids of the requirements that it proves. */
  readonly name: string
  /** By name; the first is the root. */
  readonly players: Readonly<Record<string, Player>>
  readonly input?: Json
  /** The outcome of the run: its output, or the code of its error. */
  readonly output?: Json
  readonly error?: string
  readonly warnings?: readonly string[]
  /** The agents that write, each exactly once. */
  readonly wrote: readonly string[]
  /** The types of events in the record of each agent that worked; default: those of the player. */
  readonly events: Readonly<Record<string, string>>
  readonly spans: string
  /**
   * Agents that are stopped when another is faster: a kill may change their progress, but not the outcome of the
   * run.
   */
  readonly race?: readonly string[]
  /** The last request to an agent's model. */
  readonly lastRequests?: Readonly<Record<string, ExpectedRequest>>
}

export interface ExpectedRequest {
  /** Roles of the messages; the system prompt is the first. */
  readonly roles: string
  readonly holds?: readonly string[]
  readonly lacks?: readonly string[]
}

export interface Player {
  /** Members of its definition, beside name and goal. */
  readonly members: JsonObject
  /** The answers of its model; absent: it has no model. */
  readonly says?: (conversation: Conversation) => Said
  /** Latency of its model's first answer, in milliseconds. */
  readonly slowMs?: number
  /** Players whose models must have failed before this one answers, unless they wait for a person. */
  readonly after?: readonly string[]
  /** The types of events in its record if it completes. */
  readonly events: string
  /** The spans below the call of this player. */
  readonly spans: (name: string) => string
}

/** Has no model of its own: its result is made from the results of others. */
export function leads(orchestration: JsonObject, more: JsonObject = {}): Player {
  return { members: { orchestration, ...more }, events: '', spans: () => '' }
}

/** Writes once, and then gives this answer. */
export function writes(text: string | ((task: string) => string), members: JsonObject = {}): Player {
  return {
    members: { tools: [WRITE], ...members },
    says: ({ task, results }) =>
      results.length === 0 ? wantsCalls(['write', {}]) : typeof text === 'string' ? text : text(task),
    events: 'run.started model.answered call.answered model.answered',
    spans: (name) => run(name, model(name), tool('write'), model(name)),
  }
}

/** Writes once; then its model fails. */
export function writesAndBreaks(): Player {
  return {
    ...writes(''),
    says: ({ results }) => (results.length === 0 ? wantsCalls(['write', {}]) : null),
    events: 'run.started model.answered call.answered model.failed',
    spans: (name) => failed(run(name, model(name), tool('write'), failed(model(name)))),
  }
}

/** Gives this answer only. */
export function says(text: string, members: JsonObject = {}, slowMs = 0): Player {
  return {
    members,
    says: () => text,
    slowMs,
    events: 'run.started model.answered',
    spans: (name) => run(name, model(name)),
  }
}

/** Would answer, but is stopped before. */
export function isTooLate(): Player {
  return {
    ...says('too late', {}, 10_000),
    events: 'run.started run.cancelled',
    spans: (name) => failed(run(name, failed(model(name)))),
  }
}

/** Returns the trace of a call of this player. */
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
