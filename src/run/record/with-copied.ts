import type { Fact } from '../event.ts'
import type { RunState } from '../state.ts'
import type { CopiedRecord } from './records.ts'

/**
 * Adds the fact that the record is a copy to the facts that begin a drive.
 * @param copied see `OpenRun.copied`
 */
export function withCopied(
  { seq, end }: Pick<RunState, 'seq' | 'end'>,
  copied: CopiedRecord | undefined,
  facts: readonly Fact[],
): readonly Fact[] {
  if (copied === undefined) return facts
  const fact: Fact = { type: 'record.copied', ...copied }
  // Before its first event, and after its end, a run takes in nothing before the fact that begins a turn.
  const [begins, ...more] = facts
  const isIdle = seq === 0 || end !== null
  return isIdle && begins !== undefined ? [begins, fact, ...more] : [fact, ...facts]
}
