import { exportRun } from '../../session/export-run.ts'
import { findRun } from '../../session/find-run.ts'
import { writeWhole } from '../files/write-result.ts'
import { withHome } from '../home.ts'
import type { Io } from '../io.ts'

/** Writes a run and the runs of its sub-agents as NDJSON (`waybill runs export`). */
export async function writeRun(
  wanted: string,
  { output }: { readonly output?: string },
  io: Io,
): Promise<void> {
  const { id, text } = await withHome(io, async (home) => {
    const runId = await findRun(home, wanted)
    return { id: runId, text: await exportRun(home, runId) }
  })
  if (output === undefined) return io.out(text)
  writeWhole(output, text, io, 0o600)
  io.err(`run ${id} was written to ${output}\n`)
}
