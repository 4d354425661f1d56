import type { Fact, RunEvent } from '../event.ts'

/**
 * Encodes one line of a run's record, and of `--events ndjson` (there preceded by `v` and `run_id`). Members are
 * only ever added to this form.
 */
export function encodeEvent({ seq, at, fact, decision }: RunEvent): string {
  // Two JSON texts are concatenated: copying the fact into an object with more members would cost as much as
  // encoding it.
  const members = JSON.stringify(fact).slice(1, -1)
  return `{"seq":${seq},"at":${at},${members},"decision":${JSON.stringify(decision)}}`
}

/** Decodes a line. @throws SyntaxError if the line is not JSON */
export function decodeEvent(line: string): RunEvent {
  const { seq, at, decision, ...fact } = JSON.parse(line) as RunEvent & Record<string, unknown>
  return { seq, at, fact: fact as unknown as Fact, decision }
}

/** An event in the form for other programs: self-contained, with the members of its fact. */
export interface PublicEvent {
  readonly v: 1
  readonly seq: number
  /** ISO 8601 UTC. */
  readonly at: string
  readonly run_id: string
  readonly type: string
  readonly decision: RunEvent['decision']
}

export function publicEvent(runId: string, event: RunEvent): PublicEvent {
  const { type, ...rest } = event.fact
  return {
    v: 1,
    seq: event.seq,
    at: new Date(event.at).toISOString(),
    run_id: runId,
    type,
    ...rest,
    decision: event.decision,
  }
}
