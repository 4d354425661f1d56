import type { FidelityEntry, FidelityReport } from '../../state/fidelity.ts'
import { plainLine } from '../terminal/plain-text.ts'

const LABELS = {
  kept: 'kept',
  carried: 'carried in x-waybill',
  approximated: 'approximated',
  left_behind: 'left behind',
} as const

/** Returns a line for each part of a run that was changed or lost. */
export function lossLines({ entries }: FidelityReport): readonly string[] {
  return entries.filter(({ status }) => status === 'approximated' || status === 'left_behind').map(lineOf)
}

function lineOf({ part, status, note }: FidelityEntry): string {
  return plainLine(`${LABELS[status]}: ${part}${note === undefined ? '' : ` (${note})`}`, 500)
}

/** Returns one line with the counts of a report. */
export function fidelitySummary({ summary }: FidelityReport): string {
  const { kept, carried, approximated, left_behind } = summary
  return `parts of the state: ${kept} kept, ${carried} carried in x-waybill, ${approximated} approximated, ${left_behind} left behind`
}
