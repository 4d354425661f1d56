import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The stamp in the folder of the home. */
const IN_HOME = 'waybill.stamp'

/** Higher than every counter: the home of this id was replaced. */
export const REPLACED = Number.MAX_SAFE_INTEGER

const STAMP = /^([0-9a-f-]{32,36}) (\d{1,16})\n$/

/**
 * Stamps outside the database: how often a write that must not be repeated was about to leave a home. One is in the
 * folder of the home and one outside, because a folder may be put back as a whole. They are raised after the record was
 * stored and before the write leaves, so a database that counts fewer writes than its stamp is older than the last write.
 * They are not flushed: a power loss may lower them, which hides a copy, and never makes one up.
 */
export class WriteStamps {
  readonly #inHome: string | undefined
  readonly #outside: string | undefined

  /**
   * @param home the folder of the home; absent: there is only the stamp outside
   * @param outside the folder of the stamps of all homes; absent: there is only the stamp in the home
   */
  constructor(home: string | undefined, outside: string | undefined) {
    this.#inHome = home === undefined ? undefined : join(home, IN_HOME)
    this.#outside = outside
  }

  /** Returns the highest counter of a home; 0 without a stamp. Another id in its folder is a later home. */
  highest(id: string): number {
    const inHome = this.#inHome === undefined ? undefined : read(this.#inHome)
    const near = inHome === undefined ? 0 : inHome.id === id ? inHome.writes : REPLACED
    const far = this.#outside === undefined ? undefined : read(join(this.#outside, id))
    return Math.max(near, far?.id === id ? far.writes : 0)
  }

  /** Raises both stamps of a home. Several processes may do it: a lower counter changes nothing. */
  raise(id: string, writes: number): void {
    if (this.highest(id) >= writes) return
    if (this.#inHome !== undefined) write(this.#inHome, id, writes)
    if (this.#outside !== undefined) write(join(this.#outside, id), id, writes)
  }

  /** Begins the stamps of a home that gets a new id. @param former the id that no home has any more */
  begin(id: string, former: string | undefined): void {
    if (this.#inHome !== undefined) write(this.#inHome, id, 0)
    if (former !== undefined && this.#outside !== undefined)
      write(join(this.#outside, former), former, REPLACED)
  }
}

function read(file: string): { readonly id: string; readonly writes: number } | undefined {
  try {
    const [, id, writes] = STAMP.exec(readFileSync(file, 'latin1')) ?? []
    return id === undefined ? undefined : { id, writes: Number(writes) }
  } catch {
    return undefined
  }
}

/** A stamp that cannot be written does not stop a run: the other one, or the identity of the file, still notices a copy. */
function write(file: string, id: string, writes: number): void {
  const text = `${id} ${writes}\n`
  try {
    writeFileSync(file, text, { mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      writeFileSync(file, text, { mode: 0o600 })
    } catch {}
  }
}
