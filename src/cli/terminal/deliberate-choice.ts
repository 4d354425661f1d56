import type { Key } from './key-reader.ts'

/** The result of a key: the selected entry is the answer, or the person leaves, or none of these. */
export type Pressed = 'answer' | 'leave' | null

/**
 * The selection of a prompt whose answer has an effect. Text that was typed for another reader must not choose: only the
 * arrow keys move the selection, and any other key returns it to the safe entry. Enter chooses the safe entry at any
 * time. It chooses another entry only after {@link rest}, when an arrow key was the last key for a while.
 */
export class DeliberateChoice {
  readonly #count: number
  readonly #safe: number
  #index: number
  #rested = false
  #again = false

  /** @param safe the index of the entry that changes nothing, which is selected first */
  constructor(count: number, safe: number) {
    this.#count = count
    this.#safe = safe
    this.#index = safe
  }

  get index(): number {
    return this.#index
  }

  /** Whether Enter must be pressed again, because it came too soon after another key. */
  get again(): boolean {
    return this.#again
  }

  /** Whether an entry is selected that Enter does not choose yet. */
  get waits(): boolean {
    return this.#index !== this.#safe && !this.#rested
  }

  press(key: Key): Pressed {
    const rested = this.#rested
    this.#rested = false
    this.#again = false
    switch (key) {
      case 'up':
      case 'down':
        this.#index = (this.#index + (key === 'up' ? -1 : 1) + this.#count) % this.#count
        return null
      case 'enter':
        if (this.#index === this.#safe || rested) return 'answer'
        this.#again = true
        return null
      case 'interrupt':
      case 'escape':
        return 'leave'
      case 'text':
        this.#index = this.#safe
        return null
    }
  }

  /** No key was pressed for a while. */
  rest(): void {
    this.#rested = true
  }
}
