import type { ReadOptions } from '../../document/read-document.ts'
import { parseDocument, type Source } from '../parse-document.ts'
import type { TaskResult } from './generated/result.ts'
import type { Task } from './generated/task.ts'
import { validateResult } from './validate-result.ts'
import { validateTask } from './validate-task.ts'

/**
 * Reads a task (IAP 0.2, or 0.1 as a part of it) from JSON, YAML, a document or plain data, and returns its data
 * unchanged, unknown members included. `withTaskDefaults` fills in what is absent.
 * @throws WaybillError with the code, pointer and rule of the first error; the message names the others.
 */
export function parseTask(source: Source, options: ReadOptions = {}): Task {
  return parseDocument(source, validateTask, options)
}

/**
 * Reads the result of a task, and returns its data unchanged.
 * @throws WaybillError as `parseTask`.
 */
export function parseResult(source: Source, options: ReadOptions = {}): TaskResult {
  return parseDocument(source, validateResult, options)
}
