import { setTimeout as sleep } from 'node:timers/promises'
import { chooseEntry, Tmux } from '../tmux.ts'

/** Maximum milliseconds to wait for a text or for the end of a command, if a task gives no other time. */
const PATIENCE_MS = 30_000
/** The prompt of the shell gives the exit code of the last command, as in `[2] $ `. */
const PROMPT = /^\[(\d+)\] \$ ?/gm

/** A shell in a real terminal (tmux), used like a person uses it: by keys and by reading the screen. */
export class Terminal {
  readonly #tmux: Tmux

  /** @param env the whole environment of the shell */
  constructor(folder: string, env: Readonly<Record<string, string>>) {
    const shell = ['bash', '--norc']
    this.#tmux = new Tmux({ folder, env: { ...env, PS1: '[$?] $ ' }, columns: 110, rows: 48, shell })
  }

  /** Types a command line and waits until it has ended. Throws if it ends with another exit code. */
  async run(line: string, exit = 0): Promise<void> {
    await this.ended(await this.begin(line), exit)
  }

  /** Types a command line and returns the number of prompts before it. See {@link ended}. */
  async begin(line: string): Promise<number> {
    await this.shows(PROMPT)
    const before = this.#prompts().length
    this.type(line)
    this.key('Enter')
    return before
  }

  /** Waits for the end of the command that {@link begin} typed. Throws if it ends with another exit code. */
  async ended(before: number, exit = 0, patienceMs = PATIENCE_MS): Promise<void> {
    await this.#until('the command has not ended', () => this.#prompts().length > before, patienceMs)
    const code = this.#prompts().at(-1)
    if (code !== exit) throw new Error(`a command ended with ${code}, not with ${exit}`)
  }

  type(text: string): void {
    this.#tmux.type(text)
  }

  /** Pastes a text, with the marks of a paste if the program asks for them. */
  paste(text: string): void {
    this.#tmux.paste(text)
  }

  /** Presses keys by their tmux names, such as `Enter`, `Down` or `C-c`. */
  key(...keys: readonly string[]): void {
    this.#tmux.key(...keys)
  }

  /** Chooses an entry of a question whose answer has an effect. */
  choose(label: string, ...arrows: readonly string[]): Promise<void> {
    return chooseEntry(this, label, ...arrows)
  }

  async shows(pattern: RegExp, patienceMs = PATIENCE_MS): Promise<void> {
    const once = new RegExp(pattern.source, pattern.flags.replace('g', ''))
    await this.#until(`the terminal does not show ${pattern}`, () => once.test(this.screen()), patienceMs)
  }

  /** Returns the visible text and the text above it, without empty lines at the end. */
  screen(): string {
    return this.#tmux.screen().trimEnd()
  }

  close(): void {
    this.#tmux.close()
  }

  #prompts(): readonly number[] {
    return [...this.screen().matchAll(PROMPT)].map(([, code]) => Number(code))
  }

  async #until(complaint: string, holds: () => boolean, patienceMs: number): Promise<void> {
    const end = Date.now() + patienceMs
    while (!holds()) {
      if (Date.now() > end) throw new Error(`${complaint} after ${patienceMs / 1000} s`)
      await sleep(50)
    }
  }
}
