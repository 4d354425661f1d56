import { resolve } from 'node:path'
import type { Parts } from '../../compose/parts.ts'
import type { Prepared } from '../../compose/prepare.ts'
import { assertAsReviewed } from '../../plan/plan-file.ts'
import { readPlanFile } from '../../resolve/read-plan-file.ts'
import type { Home } from '../../session/home.ts'
import { meaningOf } from '../../session/reviewed-plan.ts'
import type { Io } from '../io.ts'

/**
 * Compares a plan with the file of `--plan`.
 * @param folder the folder of the definition
 * @throws PLAN_CHANGED, PLAN_FILE_UNREADABLE, PLAN_FILE_INVALID
 */
export async function assertReviewed(
  file: string,
  prepared: Prepared,
  { settings }: Parts,
  home: Home,
  folder: string | undefined,
  io: Io,
): Promise<void> {
  const reviewed = readPlanFile(resolve(io.cwd, file), file)
  const now = await meaningOf({ ...prepared, settings, grants: home.grants, folder })
  assertAsReviewed(reviewed, now, file)
}
