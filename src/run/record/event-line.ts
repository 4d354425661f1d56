import type { Fact, RunEvent } from '../event.ts'

/** One line of a run's record, and of `--events ndjson` (there with `v` and `run_id` in front). Only ever added to. */
export function encodeEvent({ seq, at, fact, decision }: RunEvent): string {
  // Put together from two texts: a copy of the fact with other members around it would cost as much as writing it.
  const members = JSON.stringify(fact).slice(1, -1)
  return `{"seq":${seq},"at":${at},${members},"decision":${JSON.stringify(decision)}}`
}

/** @throws SyntaxError when the line is no JSON */
export function decodeEvent(line: string): RunEvent {
  const { seq, at, decision, ...fact } = JSON.parse(line) as RunEvent & Record<string, unknown>
  return { seq, at, fact: fact as unknown as Fact, decision }
}

/** The same event as other programs read it: self-contained, time in ISO 8601 UTC. */
export function publicEvent(runId: string, event: RunEvent): object {
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
