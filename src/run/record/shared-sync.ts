import { open } from 'node:fs/promises'

/** Forces a file or a folder to disk. A file is safe from a power cut only when the folder that names it is, too. */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Forces a folder to disk for many who ask at once: one sync is enough for all who asked before it began. */
export class SharedSync {
  readonly #path: string
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | null = null

  constructor(path: string) {
    this.#path = path
  }

  sync(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = null
        this.#running = syncPath(this.#path)
        return this.#running
      })
    return this.#next
  }
}
