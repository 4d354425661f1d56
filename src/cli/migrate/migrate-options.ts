import type { MoveMethod } from '../../platform/moves/move.ts'
import type { RunOptions } from '../options/run-options.ts'
import type { PlaceOptions } from '../remote/with-records.ts'

/** Options of `waybill migrate`. Those of runs are for a run that is fetched to this machine. */
export interface MigrateOptions extends RunOptions, PlaceOptions {
  /** The name or URL of the platform that gets the run. */
  readonly to?: string
  /** The URL of the platform that has the run; this machine gets it. */
  readonly from?: string
  readonly method?: MoveMethod
  /** With `stream`: over a WebSocket. */
  readonly wss?: boolean
  readonly dryRun?: boolean
  /** Of a run that was moved to a platform which does not know it any more. */
  readonly takeBack?: boolean
  /** Of a run whose state was written for a platform that is not Waybill: it runs there. */
  readonly confirm?: boolean
  /** With `takeBack`: `--yes` without a rule. */
  readonly confirmed?: boolean
  readonly failOnLoss?: boolean
  /** The definition of a run that is fetched. */
  readonly agent?: string
}

export interface SendOptions extends MigrateOptions {
  readonly to: string
}
