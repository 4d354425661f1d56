import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { WaybillError } from '../../document/issue.ts'
import type { PiiFinding } from '../../policy/pii/pii-finding.ts'
import { PLACEHOLDER } from '../../policy/pii/placeholder.ts'

/** A value that a run's record names by a placeholder. */
export interface PiiValue {
  /** `[email:1]` */
  readonly placeholder: string
  readonly kind: string
  readonly value: string
}

/** A value with what makes it the same as another one: its canonical form. */
export interface PiiEntry extends PiiValue {
  readonly identity: string
}

/** Keys that Waybill creates: one for each run whose record names personal data by placeholders. */
export interface PiiKeys {
  /** Returns undefined if there is no key, or if it was removed. */
  read(runId: string): Buffer | undefined
  /** Creates a key of 32 random bytes; it survives a power cut when this returns. */
  create(runId: string): Buffer
  /** Removes the key. After this, the values behind the run's placeholders can never be read again. */
  remove(runId: string): void
  /** Returns where the key is kept, for messages. */
  describe(runId: string): string
}

/** The storage of the placeholders of a run and of its sub-agents' runs. */
export interface PiiPlace {
  /** Of the run that a person started. */
  readonly runId: string
  readonly keys: PiiKeys
  /** The sealed lines on record: a header, then one for each value. */
  readonly sealed: readonly string[]
}

/** The key that placeholders are sealed with: the key file of the run, or the operator's own key. */
export type PiiKeySource =
  | { readonly type: 'file' }
  | { readonly type: 'operator'; readonly name: string; readonly key: Buffer }

/**
 * The placeholders of a run: the same value has the same placeholder, also after a resume. Stored with the record,
 * each value sealed with AES-256-GCM; without the key no value can be read, and removing the key removes the
 * values.
 */
export class PiiValues {
  readonly #byIdentity = new Map<string, PiiEntry>()
  readonly #byPlaceholder = new Map<string, PiiEntry>()
  readonly #counts = new Map<string, number>()
  readonly #unsaved: PiiEntry[] = []
  readonly #place: PiiPlace | undefined
  readonly #source: PiiKeySource
  #key: Buffer | undefined
  #lines = 0

  /** @param place absent: the values live as long as this object */
  constructor(source: PiiKeySource, place?: PiiPlace) {
    this.#source = source
    this.#place = place
    if (place !== undefined && place.sealed.length > 0) this.#load(place)
  }

  placeholder({ kind, identity, value }: PiiFinding): string {
    const key = `${kind}\n${identity}`
    const known = this.#byIdentity.get(key)
    if (known !== undefined) return known.placeholder
    const number = (this.#counts.get(kind) ?? 0) + 1
    const entry: PiiEntry = { placeholder: `[${kind}:${number}]`, kind, value, identity }
    this.#add(entry)
    this.#unsaved.push(entry)
    return entry.placeholder
  }

  /** Takes over placeholders of another run, which this one continues. This one must not have any yet. */
  adopt(entries: Iterable<PiiEntry>): void {
    for (const entry of entries) {
      this.#add(entry)
      this.#unsaved.push(entry)
    }
  }

  isEmpty(): boolean {
    return this.#byPlaceholder.size === 0
  }

  reveal(text: string): string {
    if (this.#byPlaceholder.size === 0 || !text.includes('[')) return text
    return text.replace(
      PLACEHOLDER,
      (placeholder) => this.#byPlaceholder.get(placeholder)?.value ?? placeholder,
    )
  }

  entries(): Iterable<PiiEntry> {
    return this.#byPlaceholder.values()
  }

  /** Returns what a placeholder stands for. */
  named(placeholder: string): PiiEntry | undefined {
    return this.#byPlaceholder.get(placeholder)
  }

  all(): readonly PiiValue[] {
    return [...this.#byPlaceholder.values()].map(({ placeholder, kind, value }) => ({
      placeholder,
      kind,
      value,
    }))
  }

  /**
   * Returns the lines to record together with the events that name the new placeholders: a record must never name a
   * value that is lost.
   */
  takeSealed(): readonly string[] {
    if (this.#place === undefined || this.#unsaved.length === 0) return []
    const place = this.#place
    const lines: string[] = []
    if (this.#key === undefined) {
      this.#key = newKey(this.#source, place)
      lines.push(JSON.stringify(headerOf(this.#source)))
    }
    for (const entry of this.#unsaved.splice(0))
      lines.push(seal(entry, this.#key, place.runId, ++this.#lines))
    return lines
  }

  #add(entry: PiiEntry): void {
    this.#byIdentity.set(`${entry.kind}\n${entry.identity}`, entry)
    this.#byPlaceholder.set(entry.placeholder, entry)
    const number = Number(/:(\d+)\]$/.exec(entry.placeholder)?.[1] ?? 0)
    this.#counts.set(entry.kind, Math.max(number, this.#counts.get(entry.kind) ?? 0))
  }

  #load(place: PiiPlace): void {
    const [header = '', ...lines] = place.sealed
    this.#key = existingKey(header, this.#source, place)
    for (const line of lines) {
      const entry = open(line, this.#key, place.runId, ++this.#lines)
      if (entry === null) throw unreadable(place, 'the key is a different one, or the file was changed')
      this.#add(entry)
    }
  }
}

function headerOf(source: PiiKeySource): object {
  return source.type === 'file'
    ? { v: 1, key: 'file' }
    : { v: 1, key: 'operator', name: source.name, check: checkOf(source.key) }
}

/** Returns a value that identifies a key without revealing it. */
function checkOf(key: Buffer): string {
  return createHash('sha256').update('waybill pii key\n').update(key).digest('hex').slice(0, 16)
}

function newKey(source: PiiKeySource, { runId, keys }: PiiPlace): Buffer {
  return source.type === 'operator' ? derived(source.key, runId) : (keys.read(runId) ?? keys.create(runId))
}

function derived(key: Buffer, runId: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, runId, 'waybill pii placeholders', 32))
}

function existingKey(headerLine: string, source: PiiKeySource, place: PiiPlace): Buffer {
  const header = JSON.parse(headerLine) as {
    readonly key: string
    readonly name?: string
    readonly check?: string
  }
  if (header.key === 'operator') {
    if (source.type === 'operator' && checkOf(source.key) === header.check)
      return derived(source.key, place.runId)
    throw unreadable(
      place,
      `the key that it was sealed with (${header.name}) is not set, or is a different one`,
    )
  }
  const key = place.keys.read(place.runId)
  if (key !== undefined) return key
  throw unreadable(place, `its key is missing: ${place.keys.describe(place.runId)}`)
}

function unreadable({ runId }: PiiPlace, why: string): WaybillError {
  return new WaybillError('PII_VALUES_UNREADABLE', {
    fault: 'failed',
    message: `the personal data of run ${runId} cannot be read: ${why}`,
    hint: 'restore the key; without it the run cannot continue with real values',
  })
}

function seal(entry: PiiEntry, key: Buffer, runId: string, line: number): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(Buffer.from(`${runId}\n${line}`))
  const body = Buffer.concat([cipher.update(JSON.stringify(entry), 'utf8'), cipher.final()])
  return Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64')
}

function open(line: string, key: Buffer, runId: string, number: number): PiiEntry | null {
  try {
    const bytes = Buffer.from(line, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    decipher.setAAD(Buffer.from(`${runId}\n${number}`))
    decipher.setAuthTag(bytes.subarray(bytes.length - 16))
    const plain = Buffer.concat([decipher.update(bytes.subarray(12, bytes.length - 16)), decipher.final()])
    return JSON.parse(plain.toString('utf8')) as PiiEntry
  } catch {
    return null
  }
}
