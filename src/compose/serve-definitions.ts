import { parentPort, workerData } from 'node:worker_threads'
import { WaybillError } from '../document/issue.ts'
import { messageOf } from '../document/message-of.ts'
import { readUpload } from '../platform/agents/read-upload.ts'
import { definitionIn } from '../platform/agents/stored-version.ts'
import type { FixedRules, FromThread, ToThread } from './definition-messages.ts'

/** Reads and examines definitions for another thread; see `DefinitionThreads`. */
export function serveDefinitions(): void {
  const rules = workerData as FixedRules
  parentPort?.on('message', (task: ToThread) => parentPort?.postMessage(answerTo(task, rules)))
}

function answerTo(task: ToThread, rules: FixedRules): FromThread {
  const { id } = task
  try {
    return { id, value: task.kind === 'content' ? definitionIn(task.version) : examined(task, rules) }
  } catch (error) {
    if (!(error instanceof WaybillError)) return { id, failure: messageOf(error) }
    const { cause: _cause, ...details } = error.details
    return { id, error: { code: error.code, details } }
  }
}

function examined(task: Extract<ToThread, { readonly kind: 'examine' }>, rules: FixedRules) {
  const { body, mediaType, manifest, keys, uploader } = task
  const trust = { keys: () => keys }
  return readUpload(body, mediaType, { ...rules, manifest: () => manifest }, { trust, uploader })
}
