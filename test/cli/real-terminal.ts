import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { BIN } from '../started-process.ts'
import { type Place, until } from './fixture.ts'

const hasTmux = spawnSync('tmux', ['-V']).status === 0

/** A real terminal with a shell, controlled by the test. */
export class Terminal {
  readonly #socket: string
  readonly #place: Place

  constructor(t: TestContext, place: Place, env: Record<string, string> = {}) {
    this.#socket = `waybill-${process.pid}-${Math.random().toString(36).slice(2)}`
    this.#place = place
    // CI and NO_COLOR of the test process must not reach the terminal.
    const own = {
      PATH: process.env.PATH ?? '',
      HOME: place.folder,
      WAYBILL_HOME: place.home,
      LANG: 'C.UTF-8',
      PS1: '$ ',
      ...env,
    }
    const pairs = Object.entries(own).map(([name, value]) => `${name}=${value}`)
    this.#tmux(
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      '-x',
      '120',
      '-y',
      '50',
      '-c',
      place.folder,
      'env',
      '-i',
      'TERM=tmux-256color',
      ...pairs,
      'sh',
    )
    t.after(() => this.#tmux('kill-server'))
  }

  /** Runs a command line; `code.txt` says when it has ended, and how. */
  command(...argv: string[]): void {
    rmSync(join(this.#place.folder, 'code.txt'), { force: true })
    const words = argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
    this.type(`'${BIN}' ${words}; echo $? > code.txt`)
    this.key('Enter')
  }

  type(text: string): void {
    this.#tmux('send-keys', '-l', text)
  }

  key(...keys: string[]): void {
    this.#tmux('send-keys', ...keys)
  }

  screen(): string {
    return this.#tmux('capture-pane', '-p', '-J', '-S', '-200')
  }

  /** From now on keeps what is written to the terminal, escape sequences included. */
  record(): void {
    this.#tmux('pipe-pane', `cat > '${join(this.#place.folder, 'raw.log')}'`)
  }

  recorded(): string {
    return readFileSync(join(this.#place.folder, 'raw.log'), 'utf8')
  }

  async shows(pattern: RegExp): Promise<void> {
    await until(`the terminal shows ${pattern}`, () => pattern.test(this.screen())).catch((error) => {
      throw new Error(`${error.message}\n${this.screen()}`)
    })
  }

  async code(): Promise<number> {
    let code = ''
    await until('the command ends', () => {
      try {
        code = readFileSync(join(this.#place.folder, 'code.txt'), 'utf8')
      } catch {
        return false
      }
      return code.endsWith('\n')
    }).catch((error) => {
      throw new Error(`${error.message}\n${this.screen()}`)
    })
    return Number(code)
  }

  #tmux(...argv: string[]): string {
    return spawnSync('tmux', ['-L', this.#socket, ...argv], { encoding: 'utf8' }).stdout
  }
}

/** Registers a test that needs a real terminal. */
export function terminal(name: string, prove: (t: TestContext) => Promise<void>): void {
  test(name, async (t) => {
    if (hasTmux) await prove(t)
    else t.skip('needs tmux')
  })
}
