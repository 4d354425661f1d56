import type { Code } from '../document/codes.ts'
import type { Fault, WaybillError } from '../document/issue.ts'

/** The HTTP status of errors whose fault alone does not give it. */
const STATUS: Readonly<Partial<Record<Code, number>>> = {
  TOKEN_REFUSED: 401,
  BUDGET_EXHAUSTED: 402,
  ROLE_MISSING: 403,
  ROUTE_NOT_FOUND: 404,
  AGENT_NOT_FOUND: 404,
  VERSION_NOT_FOUND: 404,
  RUN_NOT_FOUND: 404,
  BATCH_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  APPROVAL_NOT_FOUND: 404,
  GRANT_NOT_FOUND: 404,
  MEMORY_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  REQUEST_TOO_SLOW: 408,
  VERSION_EXISTS: 409,
  AGENT_NOT_ACTIVE: 409,
  SESSION_BUSY: 409,
  APPROVAL_AMBIGUOUS: 409,
  APPROVAL_DECIDED: 409,
  APPROVAL_MOVED_ON: 409,
  IDEMPOTENCY_CONFLICT: 409,
  RUN_LOCKED: 409,
  RUN_ENDED: 409,
  RUN_SET_ASIDE: 409,
  TURN_UNFINISHED: 409,
  RUN_IMPORTED: 409,
  BODY_TOO_LARGE: 413,
  DOCUMENT_TOO_LARGE: 413,
  MEDIA_TYPE_UNSUPPORTED: 415,
  HOST_REFUSED: 421,
  REQUEST_INVALID: 422,
  DEFINITION_INVALID: 422,
  INPUT_INVALID: 422,
  APPROVAL_VERDICT_INVALID: 422,
  HEADERS_TOO_LARGE: 431,
  RATE_EXCEEDED: 429,
  REQUESTS_EXCEEDED: 429,
  INTERNAL: 500,
  RECORD_DAMAGED: 500,
  AUDIT_DAMAGED: 500,
  DATABASE_DAMAGED: 500,
  SERVER_STOPPING: 503,
  DATABASE_UNREACHABLE: 503,
  DATABASE_NEWER: 503,
  RECORD_NEWER: 503,
  RUN_TAKEN_OVER: 503,
  DISK_FULL: 507,
}

/** `refused`: understood, and not permitted by a rule. `usage`: wrong in itself. `failed`: not the fault of the client. */
const BY_FAULT: Readonly<Record<Fault, number>> = { refused: 422, usage: 400, failed: 503 }

/** Returns the HTTP status of an error. */
export function statusOfError({ code, fault }: WaybillError): number {
  return STATUS[code] ?? BY_FAULT[fault]
}
