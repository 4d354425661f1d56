import { resolve } from 'node:path'
import type { Parts } from '../../compose/parts.ts'
import type { Prepared } from '../../compose/prepare.ts'
import { assertAsReviewed } from '../../plan/plan-file.ts'
import { readPlanFile } from '../../resolve/read-plan-file.ts'
import type { Home } from '../../session/home.ts'
import { meaningOf } from '../../session/reviewed-plan.ts'
import type { Config } from '../../settings/config-schema.ts'
import type { Io } from '../io.ts'

interface ReviewPlaces {
  readonly parts: Parts
  readonly home: Home
  /** The folder of the definition. */
  readonly folder: string | undefined
  readonly config: Config
}

/**
 * Compares a plan with the file of `--plan`.
 * @throws PLAN_CHANGED, PLAN_FILE_UNREADABLE, PLAN_FILE_INVALID
 */
export async function assertReviewed(
  file: string,
  prepared: Prepared,
  { parts: { settings }, home, folder, config }: ReviewPlaces,
  io: Io,
): Promise<void> {
  const reviewed = readPlanFile(resolve(io.cwd, file), file)
  const now = await meaningOf({ ...prepared, settings, grants: home.grants, folder, config })
  assertAsReviewed(reviewed, now, file)
}
