import type { Encoding } from '../../document/document.ts'
import { encodeDocument } from '../../document/encode-document.ts'
import type { Json } from '../../document/json.ts'
import { parseDocument } from '../parse-document.ts'
import { formatDuration, isUnusualDuration, parseDuration } from './duration.ts'
import type { Task } from './generated/task.ts'
import { validateTask } from './validate-task.ts'
import { IAP_VERSION } from './vocabulary.ts'
import { withTaskDefaults } from './with-task-defaults.ts'

/**
 * Returns the bytes of a task with everything that strict receivers require: version, id, sender, and the first member
 * of each block (IAP-task-03). JSON by default, because strict receivers accept only JSON; YAML on request. A time limit
 * has whole units.
 * @throws WaybillError with the code, pointer and rule of the first error; the message names the others.
 */
export function writeTask(task: Task, encoding: Encoding = 'json', newId?: () => string): Uint8Array {
  const complete = { ...withTaskDefaults(task, newId), iap_version: IAP_VERSION }
  const written = withPlainLimit(complete) as unknown as Json
  return encodeDocument(
    parseDocument<Json>(written, (input) => validateTask(input, { authoring: true })),
    encoding,
  )
}

/** Returns the task with a time limit that every receiver reads: `1h30m` becomes `90m`. */
function withPlainLimit(task: Task): Task {
  const { time_limit } = task.constraints ?? {}
  if (time_limit === undefined || !isUnusualDuration(time_limit)) return task
  const ms = parseDuration(time_limit)
  if (ms === undefined) return task
  return { ...task, constraints: { ...task.constraints, time_limit: formatDuration(ms) } }
}

/**
 * Returns the task with its context stored elsewhere if it is too large: `keep` stores it and returns its reference. A
 * task that already has context_ref is returned unchanged.
 * @param maxBytes maximum size of inline context, in bytes of UTF-8.
 */
export function moveLargeContext(task: Task, maxBytes: number, keep: (context: string) => string): Task {
  const { context, ...rest } = task.task
  if (context === undefined || rest.context_ref !== undefined) return task
  if (Buffer.byteLength(context) <= maxBytes) return task
  return { ...task, task: { ...(rest as Task['task']), context_ref: keep(context) } }
}
