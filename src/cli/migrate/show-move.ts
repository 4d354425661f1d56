import type { Json } from '../../document/json.ts'
import type { MoveView } from '../../platform/moves/move.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { fidelitySummary, lossLines } from '../run-session/fidelity-text.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'

/**
 * Prints what a move has done, or would do.
 * @param next what continues a move that has not ended
 */
export function showMove(
  move: MoveView,
  options: FormatOptions,
  io: Io,
  next = `\`waybill runs show ${move.run_id}\``,
): ExitCode {
  if (wantsJson(options)) io.out(`${jsonText(move as unknown as Json)}\n`)
  else show(move, next, io)
  return move.state === 'moving' ? EXIT.waiting : EXIT.ok
}

function show(move: MoveView, next: string, io: Io): void {
  const { run_id, state, owner, target_run_id, report } = move
  if (report !== undefined) {
    for (const line of lossLines(report)) io.err(`${line}\n`)
    io.err(
      move.examined === false
        ? 'not examined: the other platform does not know the definition, which the move would send first\n'
        : `${fidelitySummary(report)}\n`,
    )
  }
  if (state === 'would_move') {
    const { verdict } = (move.negotiation ?? {}) as { readonly verdict?: string }
    if (verdict !== undefined) io.err(`capabilities: ${plainLine(verdict)}\n`)
    io.out(`run ${run_id} would be moved; nothing was changed\n`)
  } else if (state === 'kept')
    io.out(`taken back: run ${run_id} continues here; it asks before it sends a write again\n`)
  else if (state === 'moved')
    io.out(
      `moved: run ${run_id} is ${target_run_id === undefined ? 'a run' : `run ${target_run_id}`} of ${plainLine(owner)}\n`,
    )
  else io.out(`run ${run_id} is still being moved: ${next}\n`)
}
