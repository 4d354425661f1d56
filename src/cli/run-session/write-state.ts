import { defined } from '../../document/defined.ts'
import type { CaptureRunOptions } from '../../session/capture-run.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import type { FidelityReport } from '../../state/fidelity.ts'
import { environmentRedactor } from '../environment-redactor.ts'
import { writeWhole } from '../files/write-result.ts'
import type { Io } from '../io.ts'
import { personName } from '../person-name.ts'
import { productVersion } from '../product-version.ts'
import { lossLines } from './fidelity-text.ts'

/** Returns who captures a run on this machine, when, and which secrets must not be in its state. */
export function captureOptions(io: Io, seq?: number): CaptureRunOptions {
  const redactor = environmentRedactor(io)
  return {
    redact: (value) => redactor.json(value),
    at: Date.now(),
    by: personName(io.env),
    platform: { name: 'waybill', version: productVersion() },
    ...defined({ seq }),
  }
}

/** Writes a captured state, and says what it could not take along. */
export function writeState(
  document: AgentState,
  report: FidelityReport,
  output: string | undefined,
  io: Io,
): void {
  const text = `${JSON.stringify(document, null, 2)}\n`
  for (const line of lossLines(report)) io.err(`${line}\n`)
  if (output === undefined) {
    io.out(text)
    return
  }
  writeWhole(output, text, io, 0o600)
  io.err(`the state of run ${document.run_id} was written to ${output}\n`)
}
