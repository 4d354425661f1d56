import { captureRun } from '../../session/capture-run.ts'
import { findRun } from '../../session/find-run.ts'
import { withHome } from '../home.ts'
import type { Io } from '../io.ts'
import { captureOptions, type StateTarget, writeState } from '../run-session/write-state.ts'

/** Writes the state of a run (`waybill state export`). */
export async function exportState(
  wanted: string,
  { at, ...target }: StateTarget & { readonly at?: number },
  io: Io,
): Promise<void> {
  const capture = await withHome(io, async (home) =>
    captureRun(home, await findRun(home, wanted), captureOptions(io, at)),
  )
  await writeState(capture, target, io)
}
