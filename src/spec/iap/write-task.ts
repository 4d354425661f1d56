import type { Encoding } from '../../document/document.ts'
import { encodeDocument } from '../../document/encode-document.ts'
import type { Json } from '../../document/json.ts'
import { parseDocument } from '../parse-document.ts'
import type { Task } from './generated/task.ts'
import { validateTask } from './validate-task.ts'
import { IAP_VERSION } from './vocabulary.ts'
import { withTaskDefaults } from './with-task-defaults.ts'

/**
 * The bytes of a task with everything that strict receivers ask for: version, id, sender, and the choice within each
 * block (IAP-task-03). JSON, because such receivers read nothing else, unless YAML is asked for.
 * @throws WaybillError with the code, place and rule of the first fault; the message names the others.
 */
export function writeTask(task: Task, encoding: Encoding = 'json', newId?: () => string): Uint8Array {
  const written = { ...withTaskDefaults(task, newId), iap_version: IAP_VERSION } as unknown as Json
  return encodeDocument(
    parseDocument<Json>(written, (input) => validateTask(input, { authoring: true })),
    encoding,
  )
}

/**
 * The task with its context elsewhere, when that is too large to travel along: what `keep` returns is where it is.
 * A task that refers to context already has no place for a second reference and stays as it is.
 * @param maxBytes of context in UTF-8 that may stay inline.
 */
export function moveLargeContext(task: Task, maxBytes: number, keep: (context: string) => string): Task {
  const { context, ...rest } = task.task
  if (context === undefined || rest.context_ref !== undefined) return task
  if (Buffer.byteLength(context) <= maxBytes) return task
  return { ...task, task: { ...(rest as Task['task']), context_ref: keep(context) } }
}
