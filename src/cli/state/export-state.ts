import { captureRun } from '../../session/capture-run.ts'
import { findRun } from '../../session/find-run.ts'
import { withHome } from '../home.ts'
import type { Io } from '../io.ts'
import { captureOptions, writeState } from '../run-session/write-state.ts'

/** Writes the state of a run (`waybill state export`). */
export async function exportState(
  wanted: string,
  { output, at }: { readonly output?: string; readonly at?: number },
  io: Io,
): Promise<void> {
  const { document, report } = await withHome(io, async (home) =>
    captureRun(home, await findRun(home, wanted), captureOptions(io, at)),
  )
  writeState(document, report, output, io)
}
