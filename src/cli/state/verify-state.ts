import { WaybillError } from '../../document/issue.ts'
import { readState } from '../files/read-state.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'

/**
 * Checks that a state is valid and matches its checksum (`waybill state verify`).
 * @throws FILE_UNREADABLE
 */
export async function verifyState(file: string, options: FormatOptions, io: Io): Promise<ExitCode> {
  const verdict = await verdictOn(file, io)
  if (wantsJson(options)) io.out(`${jsonText({ file, ...verdict })}\n`)
  else
    io.err(`${plainLine(`${file}: ${verdict.ok ? 'valid' : `${verdict.code}: ${verdict.reason}`}`, 2000)}\n`)
  return verdict.ok ? EXIT.ok : EXIT.no
}

type Verdict =
  | { readonly ok: true; readonly state_id: string }
  | { readonly ok: false; readonly code: string; readonly reason: string; readonly pointer?: string }

async function verdictOn(file: string, io: Io): Promise<Verdict> {
  try {
    const { state_id } = await readState(file, io)
    return { ok: true, state_id }
  } catch (error) {
    if (!(error instanceof WaybillError) || error.code.startsWith('FILE_')) throw error
    const { at } = error.details
    return {
      ok: false,
      code: error.code,
      reason: error.message,
      ...(typeof at === 'string' && { pointer: at }),
    }
  }
}
