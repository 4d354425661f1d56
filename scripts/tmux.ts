import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** Returns true if tmux is installed. */
export function hasTmux(): boolean {
  return spawnSync('tmux', ['-V']).status === 0
}

/** A terminal that shows a question. */
interface Asking {
  key(...keys: readonly string[]): void
  shows(pattern: RegExp): Promise<void>
  screen(): string
}

/** How long a question must rest before Enter chooses, and some time for a busy machine, in milliseconds. */
const REST_MS = 450

/** Chooses an entry of a question whose answer has an effect: with arrow keys, and Enter when they have rested. */
export async function chooseEntry(
  terminal: Asking,
  label: string,
  ...arrows: readonly string[]
): Promise<void> {
  const selected = new RegExp(`● ${label}(?![\\s\\S]*● )`)
  terminal.key(...arrows)
  await terminal.shows(selected)
  do {
    await sleep(REST_MS)
    terminal.key('Enter')
    await sleep(REST_MS / 3)
  } while (selected.test(terminal.screen()) && /press Enter again/.test(terminal.screen()))
}

export interface TmuxOptions {
  readonly folder: string
  /** The whole environment of the shell. `TERM` and `LANG` have defaults. */
  readonly env: Readonly<Record<string, string>>
  readonly columns: number
  readonly rows: number
  /** The command line of the shell. */
  readonly shell: readonly string[]
}

/** A shell in a real terminal, in a tmux server of its own. */
export class Tmux {
  readonly #socket = `waybill-${process.pid}-${Math.random().toString(36).slice(2)}`

  constructor({ folder, env, columns, rows, shell }: TmuxOptions) {
    const pairs = Object.entries({ TERM: 'tmux-256color', LANG: 'C.UTF-8', ...env })
    const size = ['-x', String(columns), '-y', String(rows)]
    const variables = pairs.map(([name, value]) => `${name}=${value}`)
    this.#tmux(
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      ...size,
      '-c',
      folder,
      'env',
      '-i',
      ...variables,
      ...shell,
    )
  }

  type(text: string): void {
    this.#tmux('send-keys', '-l', text)
  }

  /** Pastes a text, with the marks of a paste if the program asks for them. */
  paste(text: string): void {
    this.#tmux('set-buffer', text)
    this.#tmux('paste-buffer', '-p', '-r')
  }

  /** Presses keys by their tmux names, such as `Enter`, `Down` or `C-c`. */
  key(...keys: readonly string[]): void {
    this.#tmux('send-keys', ...keys)
  }

  /** Returns the visible text and up to 400 lines above it. */
  screen(): string {
    return this.#tmux('capture-pane', '-p', '-J', '-S', '-400')
  }

  /** From now on, writes the output to a file, escape sequences included. */
  recordTo(file: string): void {
    this.#tmux('pipe-pane', `cat > '${file}'`)
  }

  close(): void {
    this.#tmux('kill-server')
  }

  #tmux(...argv: readonly string[]): string {
    return spawnSync('tmux', ['-L', this.#socket, ...argv], { encoding: 'utf8' }).stdout
  }
}
