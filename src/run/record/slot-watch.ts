import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Holder, isAlive, ownHolder, unlinkQuietly } from './process-lock.ts'
import { type HoldersOf, standstills, type Waiting } from './slot-standstill.ts'

/** How often it is looked whether anybody waits for ever, in milliseconds. */
const WATCH_MS = 500

type Own = Omit<Waiting, 'holder'>

interface Watched {
  readonly waiting: Waiting
  readonly giveWay: (holding: Waiting) => void
  /** At how many looks in a row it stood still. */
  looks: number
}

/**
 * Tells the processes of a machine who waits for whose slots, in one file for each of them, and lets a run give way
 * that would wait for ever. Only those are told of who keep slots while they wait; nobody else can stand in a circle.
 */
export class SlotWatch {
  readonly #folder: string
  readonly #holders: HoldersOf
  readonly #file: string
  readonly #own = new Map<string, Watched>()
  #told = ''
  #timer: NodeJS.Timeout | undefined

  /** @param folder the folder of all agents' slots */
  constructor(folder: string, holders: HoldersOf) {
    this.#folder = folder
    this.#holders = holders
    this.#file = join(folder, `waiting.${process.pid}.${randomBytes(4).toString('hex')}`)
  }

  /**
   * @param giveWay called once, with one that waits for this run
   * @returns what ends it
   */
  add(own: Own, giveWay: Watched['giveWay']): () => void {
    this.#own.set(own.ticket, { waiting: { ...own, holder: ownHolder() }, giveWay, looks: 0 })
    this.#timer ??= setInterval(() => this.#tryLook(), WATCH_MS).unref()
    return () => {
      this.#own.delete(own.ticket)
      if (this.#own.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
      if (this.#told !== '') unlinkQuietly(this.#file)
      this.#told = ''
    }
  }

  /** A file that cannot be read or written now ends no run: the next look may see more. */
  #tryLook(): void {
    try {
      this.#look()
    } catch {
      for (const watched of this.#own.values()) watched.looks = 0
    }
  }

  #look(): void {
    const own = [...this.#own.values()]
    this.#tell(own.map(({ waiting }) => waiting))
    const known = new Map<string, readonly Holder[]>()
    const holders: HoldersOf = (folder) => {
      const held = known.get(folder) ?? this.#holders(folder)
      known.set(folder, held)
      return held
    }
    const found = standstills([...own.map(({ waiting }) => waiting), ...this.#others()], holders)
    for (const watched of own) {
      const holding = found.get(watched.waiting)
      watched.looks = holding === undefined ? 0 : watched.looks + 1
      // One look is not enough: what it saw was not all there at the same time.
      if (holding !== undefined && watched.looks === 2) watched.giveWay(holding)
    }
  }

  #tell(waiting: readonly Waiting[]): void {
    const text = JSON.stringify({ ...ownHolder(), waiting })
    if (text === this.#told) return
    const beside = `${this.#file}.new`
    writeFileSync(beside, text, { mode: 0o600 })
    renameSync(beside, this.#file)
    this.#told = text
  }

  #others(): readonly Waiting[] {
    return readdirSync(this.#folder).flatMap((name): readonly Waiting[] => {
      const path = join(this.#folder, name)
      if (!/^waiting\.\d+\.[0-9a-f]+$/.test(name) || path === this.#file) return []
      const told = read(path)
      if (told !== null && isAlive(told)) return told.waiting
      unlinkQuietly(path)
      return []
    })
  }
}

function read(path: string): (Holder & { readonly waiting: readonly Waiting[] }) | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}
