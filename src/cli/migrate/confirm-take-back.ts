import { type Io, isInteractive } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { usageError } from '../usage-error.ts'
import type { MigrateOptions } from './migrate-options.ts'

/** Asks the person at a terminal. A script has decided already. @throws USAGE if the answer is no */
export async function confirmTakeBack(runId: string, options: MigrateOptions, io: Io): Promise<void> {
  if (options.confirmed === true || !isInteractive(io, wantsJson(options))) return
  const { confirmDeliberately } = await import('../terminal/choose-deliberately.ts')
  const message = `Take run ${runId} back? The other platform can never import it from this move again.`
  if (await confirmDeliberately(message, io)) return
  throw usageError('the run was not taken back', 'confirm with yes, or add --yes')
}
