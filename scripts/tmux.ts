import { spawnSync } from 'node:child_process'

/** Returns true if tmux is installed. */
export function hasTmux(): boolean {
  return spawnSync('tmux', ['-V']).status === 0
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
