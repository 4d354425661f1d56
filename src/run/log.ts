/**
 * An immutable list that grows by `append` and shares its storage with the lists that it grew from.
 * Appending to the newest list is O(1) amortised, where copying an array for each event would make a long run
 * quadratic. Appending to an older list copies it. No list ever shows an entry beyond its own length, so a state
 * does not change when a later state is made from it.
 *
 * The storage is private: `assert.deepEqual` and `structuredClone` see the length only. Compare `toArray()`, or the
 * JSON of a whole state.
 */
export class Log<T> {
  readonly length: number
  readonly #items: T[]
  readonly #keep: ((item: T) => T) | undefined

  private constructor(items: T[], length: number, keep?: (item: T) => T) {
    this.#items = items
    this.length = length
    this.#keep = keep
  }

  static empty<T>(): Log<T> {
    return new Log<T>([], 0)
  }

  /** Returns an empty list that stores, in place of each entry, what `keep` returns for it. */
  static keeping<T>(keep: (item: T) => T): Log<T> {
    return new Log<T>([], 0, keep)
  }

  append(added: readonly T[]): Log<T> {
    if (added.length === 0) return this
    // If the storage is longer than this list, a later list owns the storage, and this one copies it.
    const items = this.#items.length === this.length ? this.#items : this.toArray()
    for (const item of added) items.push(this.#keep === undefined ? item : this.#keep(item))
    return new Log(items, items.length, this.#keep)
  }

  /** Returns the entry at an index (from 0), or undefined if there is none. */
  at(index: number): T | undefined {
    return index < this.length ? this.#items[index] : undefined
  }

  /** Returns the first entries. */
  first(length: number): Log<T> {
    return length >= this.length ? this : new Log(this.#items, length, this.#keep)
  }

  some(test: (item: T) => boolean): boolean {
    for (let index = 0; index < this.length; index++) if (test(this.#items[index] as T)) return true
    return false
  }

  /** Returns a copy. */
  toArray(): T[] {
    return this.#items.slice(0, this.length)
  }

  toJSON(): readonly T[] {
    return this.toArray()
  }
}
