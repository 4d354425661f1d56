import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** Returns true if tmux is installed. */
export function hasTmux(): boolean {
  return spawnSync('tmux', ['-V']).status === 0
}

/** Maximum milliseconds to wait for a text or for the end of a command. */
const PATIENCE_MS = 20_000
/** The prompt of the shell gives the exit code of the last command, as in `[2] $ `. */
const PROMPT = /^\[(\d+)\] \$ ?/gm

/** A shell in a real terminal (tmux), used like a person uses it: by keys and by reading the screen. */
export class Terminal {
  readonly #socket: string

  /** @param env the whole environment of the shell */
  constructor(folder: string, env: Readonly<Record<string, string>>) {
    this.#socket = `waybill-newcomer-${process.pid}-${Math.random().toString(36).slice(2)}`
    const pairs = Object.entries({ ...env, PS1: '[$?] $ ' }).map(([name, value]) => `${name}=${value}`)
    const shell = ['env', '-i', 'TERM=tmux-256color', 'LANG=C.UTF-8', ...pairs]
    const size = ['-x', '110', '-y', '48']
    this.#tmux('-f', '/dev/null', 'new-session', '-d', ...size, '-c', folder, ...shell, 'bash', '--norc')
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
  async ended(before: number, exit = 0): Promise<void> {
    await this.#until('the command has not ended', () => this.#prompts().length > before)
    const code = this.#prompts().at(-1)
    if (code !== exit) throw new Error(`a command ended with ${code}, not with ${exit}`)
  }

  type(text: string): void {
    this.#tmux('send-keys', '-l', text)
  }

  /** Presses keys by their tmux names, such as `Enter`, `Down` or `C-c`. */
  key(...keys: readonly string[]): void {
    this.#tmux('send-keys', ...keys)
  }

  async shows(pattern: RegExp): Promise<void> {
    const once = new RegExp(pattern.source, pattern.flags.replace('g', ''))
    await this.#until(`the terminal does not show ${pattern}`, () => once.test(this.screen()))
  }

  /** Returns the visible text and the text above it, without empty lines at the end. */
  screen(): string {
    return this.#tmux('capture-pane', '-p', '-J', '-S', '-400').trimEnd()
  }

  close(): void {
    this.#tmux('kill-server')
  }

  #prompts(): readonly number[] {
    return [...this.screen().matchAll(PROMPT)].map(([, code]) => Number(code))
  }

  async #until(complaint: string, holds: () => boolean): Promise<void> {
    const end = Date.now() + PATIENCE_MS
    while (!holds()) {
      if (Date.now() > end) throw new Error(`${complaint} after ${PATIENCE_MS / 1000} s`)
      await sleep(50)
    }
  }

  #tmux(...argv: readonly string[]): string {
    return spawnSync('tmux', ['-L', this.#socket, ...argv], { encoding: 'utf8' }).stdout
  }
}
