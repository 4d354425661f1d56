import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { chooseEntry, hasTmux, Tmux } from '../../scripts/tmux.ts'
import { BIN } from '../started-process.ts'
import { type Place, until } from './fixture.ts'

/** A real terminal with a shell, controlled by the test. */
export class Terminal {
  readonly #tmux: Tmux
  readonly #place: Place

  constructor(t: TestContext, place: Place, env: Record<string, string> = {}) {
    this.#place = place
    // CI and NO_COLOR of the test process must not reach the terminal.
    const own = {
      PATH: process.env.PATH ?? '',
      HOME: place.folder,
      WAYBILL_HOME: place.home,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      PS1: '$ ',
      ...env,
    }
    this.#tmux = new Tmux({ folder: place.folder, env: own, columns: 120, rows: 50, shell: ['sh'] })
    t.after(() => this.#tmux.close())
  }

  /** Runs a command line; `code.txt` says when it has ended, and how. */
  command(...argv: string[]): void {
    rmSync(join(this.#place.folder, 'code.txt'), { force: true })
    const words = argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
    this.type(`'${BIN}' ${words}; echo $? > code.txt`)
    this.key('Enter')
  }

  type(text: string): void {
    this.#tmux.type(text)
  }

  /** Pastes a text, with the marks of a paste if the program asks for them. */
  paste(text: string): void {
    this.#tmux.paste(text)
  }

  key(...keys: string[]): void {
    this.#tmux.key(...keys)
  }

  /** Chooses an entry of a question whose answer has an effect. */
  choose(label: string, ...arrows: string[]): Promise<void> {
    return chooseEntry(this, label, ...arrows)
  }

  screen(): string {
    return this.#tmux.screen()
  }

  /** From now on keeps what is written to the terminal, escape sequences included. */
  record(): void {
    this.#tmux.recordTo(join(this.#place.folder, 'raw.log'))
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
}

/** Registers a test that needs a real terminal. */
export function terminal(name: string, prove: (t: TestContext) => Promise<void>): void {
  test(name, async (t) => {
    if (hasTmux()) await prove(t)
    else t.skip('needs tmux')
  })
}
