import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { WaybillError } from '../document/issue.ts'
import { type DefinitionReader, isSmall, readerInThisThread } from '../platform/agents/definition-reader.ts'
import type { Upload, UploadRules } from '../platform/agents/read-upload.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import type { FixedRules, FromThread, Task } from './definition-messages.ts'

const LAUNCHER = join(import.meta.dirname, '../../bin/definitions.mjs')

/** Threads of a process: a definition that takes long must not make all others wait. */
const MOST_THREADS = 2

/** Memory of a thread in megabytes. The largest definition, 8 MiB of YAML, takes a quarter of it. */
const MEMORY_MB = 1024

/** How long a definition may take, in milliseconds, on a busy machine too. */
const PATIENCE_MS = 60_000

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  readonly late: NodeJS.Timeout
}

/** A {@link DefinitionReader} that reads what is large in threads of its own, which are started at their first use. */
export class DefinitionThreads implements DefinitionReader {
  readonly #rules: UploadRules
  readonly #here: DefinitionReader
  readonly #threads = new Set<Thread>()

  constructor(rules: UploadRules) {
    this.#rules = rules
    this.#here = readerInThisThread(rules)
  }

  async examine(
    body: Uint8Array,
    mediaType: string,
    about: Parameters<DefinitionReader['examine']>[2],
  ): Promise<Upload> {
    if (isSmall(body, mediaType)) return this.#here.examine(body, mediaType, about)
    const { trust, uploader } = about
    const manifest = this.#rules.manifest()
    const task = { kind: 'examine', body, mediaType, manifest, keys: trust.keys(), uploader } as const
    return (await this.#perform(task)) as Upload
  }

  async content(version: Parameters<DefinitionReader['content']>[0]): Promise<AgentDefinition> {
    if (isSmall(version.body, version.media_type)) return this.#here.content(version)
    return (await this.#perform({ kind: 'content', version })) as AgentDefinition
  }

  async close(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.end()))
  }

  #perform(task: Task): Promise<unknown> {
    const idle = [...this.#threads].find(({ tasks }) => tasks === 0)
    if (idle !== undefined) return idle.perform(task)
    if (this.#threads.size < MOST_THREADS) {
      const { registries, schemas, signatures } = this.#rules
      const rules = { registries, schemas, signatures } as FixedRules
      const thread = new Thread(rules, () => this.#threads.delete(thread))
      this.#threads.add(thread)
      return thread.perform(task)
    }
    const [least] = [...this.#threads].sort((a, b) => a.tasks - b.tasks)
    if (least === undefined) throw new TypeError('there is a thread')
    return least.perform(task)
  }
}

class Thread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #last = 0

  constructor(rules: FixedRules, onEnd: () => void) {
    this.#worker = new Worker(LAUNCHER, {
      workerData: rules,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    })
    let why = new Error('the thread that reads definitions has ended')
    this.#worker.on('message', (answer: FromThread) => this.#settle(answer))
    this.#worker.once('error', (error: Error) => {
      why = error
    })
    this.#worker.once('exit', () => {
      onEnd()
      for (const { reject, late } of this.#waiting.values()) {
        clearTimeout(late)
        reject(why)
      }
    })
    // The process may end while the thread waits for a task.
    this.#worker.unref()
  }

  get tasks(): number {
    return this.#waiting.size
  }

  perform(task: Task): Promise<unknown> {
    const id = ++this.#last
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#waiting.delete(id)
        reject(tooComplex())
        // It would be busy for longer. What else waits for it fails, and can be sent again.
        void this.end()
      }, PATIENCE_MS)
      this.#waiting.set(id, { resolve, reject, late })
      this.#worker.postMessage({ ...task, id })
    })
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #settle(answer: FromThread): void {
    const waiting = this.#waiting.get(answer.id)
    if (waiting === undefined) return
    this.#waiting.delete(answer.id)
    clearTimeout(waiting.late)
    if ('value' in answer) waiting.resolve(answer.value)
    else if ('failure' in answer) waiting.reject(new Error(answer.failure))
    else waiting.reject(new WaybillError(answer.error.code, answer.error.details))
  }
}

function tooComplex(): WaybillError {
  return new WaybillError('DOCUMENT_TOO_LARGE', {
    message: `the definition takes more than ${PATIENCE_MS / 1000} s to examine`,
    hint: 'send it as JSON, or refer to large contents by URL',
  })
}
