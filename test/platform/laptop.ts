import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type LocalHome, localHome } from '../../src/compose/local-home.ts'
import type { JsonObject } from '../../src/document/json.ts'
import { localPrincipal } from '../../src/session/principal.ts'
import { auditKeysOf, verifyHomeAudit } from '../../src/session/verify-audit.ts'
import { type Started, startProcess } from '../started-process.ts'
import { type MovingPlatform, type MovingSite, TOOLS } from './moving-site.ts'
import { definitionOf } from './organisation.ts'

interface Ended {
  readonly code: number | string
  readonly out: string
  readonly err: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads members of any answer
  readonly json: any
}

/** A machine without a server: its own home, and the command line. */
export interface Laptop {
  readonly folder: string
  readonly home: string
  /** Starts a command; its token is that of this platform. */
  start(argv: readonly string[], at?: MovingPlatform): Started
  /** Runs a command to its end. `json`: its output, if it is JSON. */
  command(argv: readonly string[], at?: MovingPlatform): Promise<Ended>
  /** As `command`, and it must succeed, or end with this code. */
  ok(argv: readonly string[], at?: MovingPlatform, code?: number): Promise<Ended>
  /** Starts a run that waits for a person, and returns its id. */
  waiting(agent: string, input: object, options?: readonly string[]): Promise<string>
  /** Writes a definition to a file. @returns its path */
  write(name: string, definition: object): string
  /** Has this platform pin the keys of this machine, and this machine the keys of the platform. */
  meet(platform: MovingPlatform, members?: JsonObject): Promise<void>
  /** Pins the keys of this platform. */
  trust(platform: MovingPlatform): Promise<void>
  withHome<T>(act: (home: LocalHome) => Promise<T>): Promise<T>
  audit(): Promise<{ readonly ok: boolean; readonly facts: readonly JsonObject[] }>
}

/** The definition of an agent that asks before it writes. */
export const clerk = (base_url: string) =>
  definitionOf({
    version: '1.0.0',
    model: { provider: 'openai', preferred: 'gpt-4o', base_url },
    tools: ['send', 'look'].map((name) => ({
      name,
      description: 'Acts.',
      parameters_schema: { type: 'object', properties: { to: { type: 'string' }, gate: { type: 'string' } } },
    })),
    compliance: { human_in_the_loop: { enabled: true } },
  })

/** Approves the only question of a run, and waits for its end. */
export const decide = async (platform: MovingPlatform, runId: string): Promise<void> => {
  await platform.reaches(runId, 'awaiting_approval')
  const { items } = await platform.ok('GET', `/v1/approvals?run_id=${runId}`)
  assert.equal(items.length, 1)
  await platform.ok('POST', `/v1/approvals/${items[0].id}`, { verdict: 'approve' })
  await platform.reaches(runId, 'completed')
}

/** Makes a machine that knows the platforms of a site, with the functions of the platforms. */
export function laptopAt(t: TestContext, { a, b, baseUrl, log }: MovingSite): Laptop {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-laptop-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const home = join(folder, 'home')
  mkdirSync(home)
  writeFileSync(
    join(home, 'config.yaml'),
    JSON.stringify({
      providers: { openai: { base_urls: [baseUrl] } },
      allow_hosts: [a, b].map(({ url }) => new URL(url).host),
      ca_files: [a.caFile],
    }),
  )
  writeFileSync(join(folder, 'tools.mjs'), TOOLS(log))
  const start: Laptop['start'] = (argv, at) =>
    startProcess(argv, {
      cwd: folder,
      env: {
        ...process.env,
        WAYBILL_HOME: home,
        OPENAI_API_KEY: 'not-used',
        NODE_EXTRA_CA_CERTS: a.caFile,
        USER: 'ada',
        CI: '1',
        ...(at !== undefined && { WAYBILL_TOKEN: at.admin }),
      },
    })
  const command: Laptop['command'] = async (argv, at) => {
    const started = start(argv, at)
    const code = await started.ended
    const out = started.out()
    // With --json, an error is on standard output.
    const err = code === 0 ? started.err() : `${out}${started.err()}`
    return { code, out, err, json: jsonIn(out) }
  }
  const ok: Laptop['ok'] = async (argv, at, code = 0) => {
    const ended = await command(argv, at)
    if (ended.code === code) return ended
    throw new Error(`waybill ${argv.join(' ')} ended with ${ended.code}: ${ended.out}${ended.err}`)
  }
  const withHome: Laptop['withHome'] = async (act) => {
    const opened = await localHome(home, {
      principal: localPrincipal('ada'),
      secrets: { has: () => true, get: async () => 'not-used' },
    })
    try {
      return await act(opened)
    } finally {
      await opened.close()
    }
  }
  const trust: Laptop['trust'] = async (platform) => {
    const { port, origin } = new URL(platform.url)
    const file = join(folder, `${port}.jwks`)
    writeFileSync(file, JSON.stringify((await platform.send('GET', '/.well-known/jwks.json')).json))
    await ok(['keys', 'trust', `platform-${port}`, file, '--platform', origin])
  }
  return {
    folder,
    home,
    trust,
    start,
    command,
    ok,
    write(name, definition) {
      const file = join(folder, name)
      writeFileSync(file, JSON.stringify(definition))
      return file
    },
    async waiting(agent, input, options = []) {
      const argv = [
        'run',
        agent,
        '--input',
        JSON.stringify(input),
        '--tools',
        'tools.mjs',
        '--json',
        ...options,
      ]
      return (await ok(argv, undefined, 4)).json.run_id
    },
    async meet(platform, members = {}) {
      const { json: keys } = await ok(['keys', 'export', '--jwks'])
      await platform.ok('POST', '/v1/peers', { name: 'laptop', keys, users: null, ...members })
      await trust(platform)
    },
    withHome,
    audit: () =>
      withHome(async (opened) => {
        const verdict = await verifyHomeAudit(opened, auditKeysOf(opened))
        const lines = await opened.audit.lines()
        return { ok: verdict.ok, facts: lines.map((line) => JSON.parse(line).fact) }
      }),
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
