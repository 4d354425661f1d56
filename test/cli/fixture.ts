import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { LLMock } from '@copilotkit/aimock'
import { type Home, openHome, type RunEvent } from 'waybill'
import type { Io } from '../../src/cli/io.ts'
import { main } from '../../src/cli/main.ts'
import { type Started, startProcess } from '../started-process.ts'

export const ROOT = join(import.meta.dirname, '../..')
/** A key that matches no known format: only its value identifies it. */
export const KEY = 'zebra-quartz-71-lantern-mosaic'

/** A tool that writes and needs approval. */
export const DEFINITION = {
  sc_standard: 'SC-006',
  sc_version: '3.4.0',
  agent_id: '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a10',
  agent: {
    name: 'Clerk',
    goal: 'Send what is due.',
    model: { provider: 'custom', provider_id: 'custom', preferred: 'x' },
    tools: [
      {
        name: 'send_mail',
        description: 'Sends a mail.',
        protocol: 'function',
        parameters_schema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
      },
    ],
    compliance: { human_in_the_loop: { enabled: true } },
  },
}

/** Counts its calls in a file, because a test must see calls of another process. */
const TOOLS = `import { appendFileSync } from 'node:fs'
export const tools = {
  send_mail: async ({ to }) => {
    appendFileSync(new URL('./sent.log', import.meta.url), to + '\\n')
    return { sent: to }
  },
}
`

/** The command line that runs the agent in a {@link Place}, without the model options. */
export const GO = ['run', 'agent.json', '--tools', 'tools.mjs', '--input', 'Go'] as const

/**
 * Returns the text of a file; an empty one for a folder, and for a file that was removed since it was listed: SQLite
 * removes its files beside a database when the last process closes it.
 */
function textIfPresent(path: string): string {
  try {
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : ''
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** A folder with a definition, functions and its own home. It is removed after the test. */
export class Place {
  readonly folder: string
  readonly home: string
  readonly env: Record<string, string | undefined>

  constructor(t: TestContext, definition: object = DEFINITION) {
    this.folder = mkdtempSync(join(tmpdir(), 'waybill-cli-'))
    this.home = join(this.folder, 'home')
    this.env = {
      WAYBILL_HOME: this.home,
      PATH: process.env.PATH,
      HOME: this.folder,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    }
    this.write('agent.json', JSON.stringify(definition))
    this.write('tools.mjs', TOOLS)
    t.after(() => rmSync(this.folder, { recursive: true, force: true }))
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text)
  }

  /** The calls of `send_mail` so far. */
  sent(): readonly string[] {
    const path = join(this.folder, 'sent.log')
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
  }

  /** The database of the home. */
  get database(): string {
    return join(this.home, 'waybill.db')
  }

  /** Returns all text on disk in the home, and the rows of its database, because pages may split a long value. */
  homeText(): string {
    // Lock files are empty.
    const files = globSync(join(this.home, '**/*'))
      .filter((path) => !path.endsWith('.lock'))
      .map(textIfPresent)
    return [...files, ...this.#rows()].join('\n')
  }

  /** Changes a value on disk like another program, without the checks of Waybill. */
  tamper(sql: string, ...values: readonly string[]): void {
    const db = new DatabaseSync(this.database)
    try {
      const { changes } = db.prepare(sql).run(...values)
      if (changes === 0) throw new Error(`no row was changed by ${sql}`)
    } finally {
      db.close()
    }
  }

  /** Opens the home, calls `act`, and closes the home. */
  async withHome<T>(act: (home: Home) => T | Promise<T>): Promise<T> {
    const home = await openHome(this.home, this.env)
    try {
      return await act(home)
    } finally {
      await home.close()
    }
  }

  /** Returns the ids of all recorded runs, including those of sub-agents; the oldest first. */
  async runIds(): Promise<readonly string[]> {
    const { items } = await this.withHome(({ runs }) => runs.list({}, { limit: 1000 }))
    return items.map(({ run_id }) => run_id).reverse()
  }

  async events(runId: string): Promise<readonly RunEvent[]> {
    return this.withHome(({ runs }) => runs.events(runId))
  }

  #rows(): readonly string[] {
    if (!existsSync(this.database)) return []
    const db = new DatabaseSync(this.database, { timeout: 5000 })
    try {
      const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
      return tables.flatMap(({ name }) =>
        db
          .prepare(`SELECT * FROM "${name}"`)
          .all()
          .map((row) => Object.values(row).map(String).join('\n')),
      )
    } finally {
      db.close()
    }
  }
}

/** Takes the only slot of an agent, like another run. @returns a function that releases it */
export async function takeSlot(t: TestContext, place: Place, agent: string): Promise<() => unknown> {
  const home = await openHome(place.home, place.env)
  t.after(() => home.close())
  return home.slots.take({ agent, agent_name: 'Clerk', limit: 1, run_id: 'elsewhere', above: [] })
}

export interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface IoChoices {
  readonly stdin?: string
  readonly env?: Record<string, string>
  readonly outIsTty?: boolean
  readonly errIsTty?: boolean
  readonly color?: boolean
}

/** Runs one command line in this process. */
export async function waybill(place: Place, argv: readonly string[], choices: IoChoices = {}): Promise<Said> {
  let out = ''
  let err = ''
  const io: Io = {
    cwd: place.folder,
    env: { ...place.env, ...choices.env },
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    stdin: Readable.from(choices.stdin === undefined ? [] : [choices.stdin]),
    outIsTty: choices.outIsTty ?? false,
    errIsTty: choices.errIsTty ?? false,
    color: choices.color ?? false,
  }
  const code = await main(argv, io)
  return { code, out, err }
}

/** Starts the program itself. */
export function start(place: Place, argv: readonly string[], env: Record<string, string> = {}): Started {
  return startProcess(argv, { cwd: place.folder, env: { ...place.env, ...env } })
}

export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  limitMs = 15_000,
): Promise<void> {
  const end = Date.now() + limitMs
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`timeout waiting for: ${what}`)
    await sleep(25)
  }
}

const usage = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 }

/** A model that calls `send_mail` once for each message, and then answers. */
export class MailModel {
  readonly server = new LLMock({ port: 0, host: '127.0.0.1' })
  flags: readonly string[] = []

  async begin(): Promise<void> {
    const url = await this.server.start()
    this.flags = ['--model', 'custom/x', '--base-url', `${url}/v1`]
    this.script()
  }

  script({ answer = 'It is sent.', args = '{"to":"ada"}', calls = true } = {}): void {
    this.server.clearFixtures()
    this.server.addFixture({
      match: { predicate: (request) => !calls || request.messages.at(-1)?.role === 'tool' },
      response: { content: answer, usage },
    })
    this.server.addFixture({
      match: {},
      response: { toolCalls: [{ id: 'c1', name: 'send_mail', arguments: args }], usage },
    })
  }

  /** Returns the last message that the model received. */
  lastMessage(): string {
    const body = this.server.getRequests().at(-1)?.body as { messages?: { content?: unknown }[] } | undefined
    return String(body?.messages?.at(-1)?.content)
  }
}
