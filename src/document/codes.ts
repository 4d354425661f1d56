import { AAIF_CODES } from './codes/aaif-codes.ts'
import { APPROVAL_CODES } from './codes/approval-codes.ts'
import { ARTIFACT_CODES } from './codes/artifact-codes.ts'
import { AUDIT_CODES } from './codes/audit-codes.ts'
import { CARD_CODES } from './codes/card-codes.ts'
import type { CodeArea } from './codes/code-entry.ts'
import { COMMAND_CODES } from './codes/command-codes.ts'
import { CONDITION_CODES } from './codes/condition-codes.ts'
import { DATABASE_CODES } from './codes/database-codes.ts'
import { DEFINITION_CODES } from './codes/definition-codes.ts'
import { ENDPOINT_CODES } from './codes/endpoint-codes.ts'
import { HOME_CODES } from './codes/home-codes.ts'
import { MEMORY_CODES } from './codes/memory-codes.ts'
import { MIGRATION_CODES } from './codes/migration-codes.ts'
import { MODEL_CODES } from './codes/model-codes.ts'
import { ORCHESTRATION_CODES } from './codes/orchestration-codes.ts'
import { PERSONAL_DATA_CODES } from './codes/personal-data-codes.ts'
import { PLAN_CODES } from './codes/plan-codes.ts'
import { PLATFORM_CODES } from './codes/platform-codes.ts'
import { READING_CODES } from './codes/reading-codes.ts'
import { RECEIPT_CODES } from './codes/receipt-codes.ts'
import { ROUTE_CODES } from './codes/route-codes.ts'
import { RUN_CODES } from './codes/run-codes.ts'
import { SCHEMA_CODES } from './codes/schema-codes.ts'
import { SERVER_CODES } from './codes/server-codes.ts'
import { STREAM_CODES } from './codes/stream-codes.ts'
import { TASK_CODES } from './codes/task-codes.ts'
import { TESTING_CODES } from './codes/testing-codes.ts'
import { TOOL_CODES } from './codes/tool-codes.ts'
import { TRUST_CODES } from './codes/trust-codes.ts'

/**
 * Lists all codes of Waybill by area, in the order of `docs/codes.md`, which is generated from it. Only the server, the
 * generator and tests load this module: the other sources import the type {@link Code} from it, which costs nothing at
 * start-up.
 */
export const CODE_AREAS = [
  {
    title: 'Reading a document',
    introduction:
      'Findings of `waybill validate`, and errors of every command and function that reads a document.',
    codes: READING_CODES,
  },
  {
    title: 'Members and values of a document',
    introduction: 'Found by the schema of the document. `rule` names the requirement.',
    codes: SCHEMA_CODES,
  },
  {
    title: 'Agent definitions',
    introduction:
      'Rules that a schema cannot express. A warning leaves the definition valid, unless `--strict` is given.',
    codes: DEFINITION_CODES,
  },
  { title: 'Conditions', codes: CONDITION_CODES },
  { title: 'Agent states, manifests, reports and registries', codes: AAIF_CODES },
  {
    title: 'Handoff streams',
    introduction: 'A stream has one JSON object on each line.',
    codes: STREAM_CODES,
  },
  { title: 'Agent cards', codes: CARD_CODES },
  { title: 'Artifacts', codes: ARTIFACT_CODES },
  { title: 'Tasks', codes: TASK_CODES },
  { title: 'Keys and signatures', codes: TRUST_CODES },
  { title: 'The command line and its settings', codes: COMMAND_CODES },
  { title: 'The home and its records', codes: HOME_CODES },
  { title: 'The database of the platform', codes: DATABASE_CODES },
  {
    title: 'The platform',
    introduction: 'In `code` of the problem that the HTTP API answers with.',
    codes: PLATFORM_CODES,
  },
  { title: 'Runs that move between platforms', codes: MIGRATION_CODES },
  {
    title: 'The HTTP server',
    introduction:
      'In `code` of a problem (`application/problem+json`), besides the codes of the other areas.',
    codes: SERVER_CODES,
  },
  {
    title: 'The plan',
    introduction:
      'A plan with one of these errors is printed whole, and a run of it ends at once as `refused`.',
    codes: PLAN_CODES,
  },
  {
    title: 'Models that a plan does not use',
    introduction:
      'In `reason_code` of a model that a plan does not use, next to the `reason` for people. It may also be `RESIDENCY_UNPROVEN`, `EXTENDED_PARAMS_COLLIDE`, `MODEL_PROVIDER_UNKNOWN`, `MODEL_KEY_MISSING` or a code of the [endpoint gate](#the-endpoint-gate).',
    codes: ROUTE_CODES,
  },
  {
    title: 'Runs',
    introduction: 'In `error` of the result of a run, and in its `warnings`.',
    codes: RUN_CODES,
  },
  { title: 'Sub-agents', codes: ORCHESTRATION_CODES },
  { title: 'Personal data', codes: PERSONAL_DATA_CODES },
  { title: 'The audit log', codes: AUDIT_CODES },
  {
    title: 'Receipts of writes',
    introduction: 'Findings of `waybill receipts verify`, each with its line in the file.',
    codes: RECEIPT_CODES,
  },
  {
    title: 'Memory',
    introduction:
      'Warnings of a run: an agent continues without its memory when the memory fails. Errors of `waybill memory`.',
    codes: MEMORY_CODES,
  },
  { title: 'Approvals', codes: APPROVAL_CODES },
  {
    title: 'Models',
    introduction:
      'Each is the failure of one route. The run continues with the next route if one exists; see [events](events.md#modelfailed).',
    codes: MODEL_CODES,
  },
  {
    title: 'Tools',
    introduction:
      'Each ends one call. The model receives the error and may try another way; a person decides about a write whose outcome is unknown.',
    codes: TOOL_CODES,
  },
  {
    title: 'The endpoint gate',
    introduction: 'Reasons why a call is blocked. See [configuration](guides/configuration.md#hosts).',
    codes: ENDPOINT_CODES,
  },
  { title: 'Rehearsals and tests', codes: TESTING_CODES },
] as const satisfies readonly CodeArea[]

type Keys<Entries> = Entries extends unknown ? keyof Entries : never

/** Names a code that this version of Waybill emits. */
export type Code = Keys<(typeof CODE_AREAS)[number]['codes']>

declare const foreign: unique symbol

/**
 * Marks a code that is not in the catalogue: an extension has codes of its own, and a record or another process may
 * come from a version that has more. No literal has this type, so a misspelt code is a type error; data from outside
 * gets it by a type assertion at the boundary.
 */
export type ForeignCode = string & { readonly [foreign]: true }

/** Names the code of an error or warning that may come from an extension, another process or a record. */
export type AnyCode = Code | ForeignCode
