import type { LeftDecision } from '../../../run/record/left-decision.ts'
import { recordDamaged } from '../../../run/record/record-errors.ts'
import type { Question } from '../../../run/record/records.ts'
import type { Queries } from './queries.ts'
import { lineChecksum, type RunRow } from './run-row.ts'

interface DecisionRow {
  readonly key: string
  readonly asked: number
  readonly line: string
  readonly checksum: number
}

/** Reads the stored decisions for a run, oldest first. @throws RECORD_DAMAGED */
export function readLeftDecisions(
  q: Queries,
  { id, run_id }: RunRow,
  file: string,
  question?: Question,
): readonly LeftDecision[] {
  const rows =
    question === undefined
      ? q.all<DecisionRow>('SELECT key, asked, line, checksum FROM decisions WHERE run = ? ORDER BY n', id)
      : q.all<DecisionRow>(
          'SELECT key, asked, line, checksum FROM decisions WHERE run = ? AND key = ? AND asked = ?',
          id,
          question.key,
          question.asked,
        )
  return rows.map(({ key, asked, line, checksum }) => {
    if (lineChecksum(run_id, `${key} ${asked}`, line) !== checksum)
      throw recordDamaged(run_id, `the decision about call ${key} was changed`, { file })
    return readLine(line) ?? unreadable(run_id, key, file)
  })
}

function readLine(line: string): LeftDecision | undefined {
  try {
    return JSON.parse(line) as LeftDecision
  } catch {
    return undefined
  }
}

function unreadable(runId: string, key: string, file: string): never {
  throw recordDamaged(runId, `the decision about call ${key} cannot be read`, { file })
}

/** Reads the sealed lines of a root run, in the order in which they were appended. @throws RECORD_DAMAGED */
export function readSealed(q: Queries, root: string, file: string): readonly string[] {
  const rows = q.all<{ line: string; checksum: number }>(
    'SELECT line, checksum FROM sealed WHERE root = ? ORDER BY n',
    root,
  )
  return rows.map(({ line, checksum }) => {
    if (lineChecksum(root, 'sealed', line) === checksum) return line
    throw recordDamaged(root, 'a line of its sealed personal data was changed', { file })
  })
}
