import { AGENTS } from './agents/feature.ts'
import { BACKUP_TABLES } from './backup/tables.ts'
import { BUDGETS } from './budgets/feature.ts'
import { joinTables, type Tables } from './database/tables.ts'
import { ENGINE_TABLES } from './engine/tables.ts'
import type { Feature } from './feature.ts'
import { INBOX } from './inbox/feature.ts'
import { MOVE_TABLES } from './moves/tables.ts'
import { PEOPLE } from './people/feature.ts'
import { RECORD_TABLES } from './records/tables.ts'
import { REMOVAL } from './removal/feature.ts'
import { RULES } from './rules/feature.ts'
import { RUNS } from './runs/feature.ts'
import { SECRETS } from './secrets/feature.ts'
import { SESSIONS } from './sessions/feature.ts'
import { STOPS } from './stops/feature.ts'
import { TRIGGERS } from './triggers/feature.ts'
import { WEBHOOKS } from './webhooks/feature.ts'

/** All features, in the order of the OpenAPI document. Which may use which is in `scripts/layers.ts`. */
export const FEATURES = [
  AGENTS,
  RUNS,
  SESSIONS,
  INBOX,
  BUDGETS,
  WEBHOOKS,
  TRIGGERS,
  PEOPLE,
  STOPS,
  SECRETS,
  REMOVAL,
  RULES,
] as const satisfies readonly Feature[]

/** Tables of the other parts of the platform. */
const OTHERS: readonly Tables[] = [RECORD_TABLES, ENGINE_TABLES, BACKUP_TABLES, MOVE_TABLES]

/** Joins the tables of all parts of a platform with some features. */
export function tablesOf(features: readonly Feature[]): Required<Tables> {
  return joinTables([...OTHERS, ...features.map(({ tables }) => tables)])
}

/** All tables of the platform. */
export const TABLES = tablesOf(FEATURES)
