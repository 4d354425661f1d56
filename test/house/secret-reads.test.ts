import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')

/** A read out of an environment: of a fixed name, or of a computed one. */
const READ = /\benv\??\.([A-Z_a-z]\w*)|\benv(?:\?\.)?\[|\bownMember\([\w.]*\benv,|\bprocess\.env\b/g

/** Variables that are not secrets and may be read by name. */
const ORDINARY = /^(OTEL_\w+|PATH)$/

/** Reads of computed names: the secrets' own adapter, headers of OpenTelemetry, ordinary variables of MCP servers. */
const COMPUTED: Readonly<Record<string, readonly string[]>> = {
  'src/adapters/secrets/environment-secrets.ts': ['const text = ownMember(env, name)'],
  'src/adapters/telemetry/collector.ts': ['pairs(ownMember(env, name))'],
  'src/adapters/mcp/connections.ts': [
    'isOrdinaryVariable(name) ? ownMember(env, name) : await',
    'target.env.map((name) => ownMember(env, name))',
  ],
}

function readsIn(file: string, source: string): readonly string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  const rest = (COMPUTED[file] ?? []).reduce((text, allowed) => text.replace(allowed, ''), code)
  return [...rest.matchAll(READ)]
    .filter(([, name]) => name === undefined || (/^[A-Z]/.test(name) && !ORDINARY.test(name)))
    .map(([text]) => `${file}: ${text}`)
}

test('plans, policies, runs and adapters read no secret out of an environment', () => {
  const files = globSync('src/{plan,policy,run,adapters}/**/*.ts', { cwd: root })
  assert.ok(files.length > 100)
  assert.deepEqual(
    files.flatMap((file) => readsIn(file, readFileSync(join(root, file), 'utf8'))),
    [],
    'take the port Secrets instead (src/run/ports.ts)',
  )
})

test('the search finds each way to read a variable, and every exception is in use', () => {
  for (const text of [
    'env[name]',
    'host.env[key]',
    'process.env',
    'options.env.API_KEY',
    'env?.[name]',
    'ownMember(env, name)',
    'ownMember(io.env, name)',
  ])
    assert.equal(readsIn('src/plan/seeded.ts', `const a = ${text}`).length, 1, text)
  assert.deepEqual(readsIn('src/plan/seeded.ts', 'env.OTEL_SERVICE_NAME + env.PATH + env.map(f)'), [])
  for (const [file, allowed] of Object.entries(COMPUTED))
    for (const text of allowed) assert.ok(readFileSync(join(root, file), 'utf8').includes(text), text)
})
