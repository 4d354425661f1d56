import { WaybillError } from '../../document/issue.ts'
import { recordsClosed } from '../../run/record/record-errors.ts'

/** Errors of Node.js and of the driver that mean a lost or refused connection. */
const NETWORK: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** The driver's own errors have no code. */
const LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered|Client was closed|The server (closed|unexpectedly)|Query read timeout)/

const DEADLOCK = '40P01'
const SERIALIZATION = '40001'
const TOO_MANY_CONNECTIONS = '53300'
const DISK_FULL = '53100'

function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

/**
 * Returns whether the connection was lost or refused, so that the same statement may succeed later. It is not known
 * whether a commit that was sent has happened.
 */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof WaybillError) return error.code === 'DATABASE_UNREACHABLE'
  const code = codeOf(error)
  // An AggregateError of Node.js has the code of its first member: all addresses of a host were tried.
  if (NETWORK.has(code) || code === TOO_MANY_CONNECTIONS) return true
  // 08: connection; 57P: the server shuts down, has crashed, or starts.
  if (/^(08...|57P0[1235])$/.test(code)) return true
  return code === '' && error instanceof Error && LOST.test(error.message)
}

/** Returns whether the server rolled back because of a concurrent transaction: a retry may succeed. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error)
  return code === DEADLOCK || code === SERIALIZATION
}

/** Returns whether the storage failed, and not a statement or its values. */
export function isOfTheStorage(error: unknown): boolean {
  return isUnreachable(error) || isConflict(error) || /^(53|58|XX)/.test(codeOf(error))
}

/**
 * Returns whether the database was away or could not store anything, so that a later attempt may succeed. Also for errors
 * that {@link asStorageError} has converted.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof WaybillError && error.code === 'DISK_FULL') return true
  return isUnreachable(error) || isConflict(error) || /^(53|58)/.test(codeOf(error))
}

/**
 * Returns an outage as an error with a code, a status and a hint, at every door of the platform.
 * @returns null for an error that a later attempt would have too
 */
export function asOutage(error: unknown): WaybillError | null {
  const known = asStorageError(error)
  if (known instanceof WaybillError) return known
  if (!isOutage(error)) return null
  return new WaybillError('DATABASE_UNREACHABLE', {
    fault: 'failed',
    message: `the database could not finish a transaction (${codeOf(error)})`,
    hint: `send the request again; if it happens often, look at the log of PostgreSQL; ${RESUME}`,
    cause: error,
  })
}

const RESUME = 'the progress of runs is saved, and they continue afterwards'

/** @param code of the network or of PostgreSQL, if it is known */
export function unreachable(code = '', cause?: unknown): WaybillError {
  return new WaybillError('DATABASE_UNREACHABLE', {
    fault: 'failed',
    message: `the connection to the database was lost or refused${code === '' ? '' : ` (${code})`}`,
    hint: `check that PostgreSQL is running and reachable; \`waybill doctor\` tests both; ${RESUME}`,
    ...(cause !== undefined && { cause }),
  })
}

/** The server crashed while it committed a transaction, and cannot say whether this transaction is stored. */
export function outcomeUnknown(): WaybillError {
  return new WaybillError('DATABASE_UNREACHABLE', {
    fault: 'failed',
    message:
      'the database crashed before it confirmed a write, so it is not known whether the data is stored',
    hint: 'look whether it is there before you repeat the request, or repeat it with the same Idempotency-Key',
  })
}

/**
 * Converts an error of the database to one with a code and a hint. Its message never contains a connection string.
 * @returns other errors unchanged
 */
export function asStorageError(error: unknown): unknown {
  if (error instanceof WaybillError) return error
  const code = codeOf(error)
  if (code === TOO_MANY_CONNECTIONS)
    return new WaybillError('DATABASE_UNREACHABLE', {
      fault: 'failed',
      message: 'the database accepts no more connections',
      hint: `raise max_connections of PostgreSQL, or run fewer processes; ${RESUME}`,
      cause: error,
    })
  if (isUnreachable(error)) return unreachable(code, error)
  if (code === DISK_FULL)
    return new WaybillError('DISK_FULL', {
      fault: 'failed',
      message: 'the disk of the database is full, so the record cannot be written',
      hint: `free space on the disk of PostgreSQL; ${RESUME}`,
      cause: error,
    })
  if (code === 'XX001' || code === 'XX002')
    return new WaybillError('RECORD_DAMAGED', {
      fault: 'failed',
      message: `the database is damaged (${code})`,
      hint: 'restore the database from a backup; until then the damaged records cannot be read',
      cause: error,
    })
  if (error instanceof Error && /^Cannot use a pool after calling end/.test(error.message))
    return recordsClosed()
  return error
}
