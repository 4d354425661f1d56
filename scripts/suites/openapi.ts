/**
 * Tests the OpenAPI document and the server with Redocly and Schemathesis: `npm run verify:openapi`. Both are installed
 * outside the repository: `WAYBILL_REDOCLY` is the executable of `@redocly/cli` 2.77, `WAYBILL_SCHEMATHESIS` that of
 * Schemathesis 4.32. Fails on an error or warning of Redocly, and on a failure of Schemathesis, except those that the
 * document announces itself (`x-opaque`, `x-further-rule`). `--fuzz` adds the phases fuzzing and stateful.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isObject, type Json, type JsonObject, valueAt } from '../../src/document/json.ts'
import { isAnnounced, type Refusal } from './is-announced.ts'

const { WAYBILL_REDOCLY: redocly, WAYBILL_SCHEMATHESIS: schemathesis } = process.env
if (redocly === undefined || schemathesis === undefined)
  throw new Error('set WAYBILL_REDOCLY and WAYBILL_SCHEMATHESIS to the executables')
const phases = process.argv.includes('--fuzz') ? 'examples,coverage,fuzzing,stateful' : 'examples,coverage'

/** They stop the organisation, or end the session of the test; Schemathesis does not know the media type of a stream. */
const LEFT_OUT = ['stop', 'revokeToken', 'endBrowserSession', 'openHandoff', 'receiveHandoff']

/** A WebSocket is opened with 101, which Redocly does not count as a success. */
const KNOWN_WARNINGS = new Set([
  'operation-2xx-response #/paths/~1v1~1handoff/get/responses',
  // The member is defined beside the condition.
  'no-required-schema-properties-undefined #/components/schemas/DefinitionCondition/then/required/0',
])

const folder = mkdtempSync(join(tmpdir(), 'waybill-suites-'))
// As root, the database runs as another user.
chmodSync(folder, 0o755)
const url = `http://127.0.0.1:${await freePort()}`
const platform = spawn(
  join(import.meta.dirname, '../../bin/waybill'),
  ['up', '--port', new URL(url).port, '--data', join(folder, 'data')],
  { env: { ...process.env, WAYBILL_HOME: join(folder, 'home') }, stdio: ['ignore', 'ignore', 'inherit'] },
)
try {
  await ready()
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as JsonObject
  const file = join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(document))
  const lint = lintFindings(file)
  writeFileSync(file, JSON.stringify(document, withoutUnwritten))
  const findings = requestFindings(file, document)
  for (const finding of [...lint, ...findings]) console.log(`✖ ${finding}`)
  console.log(`${lint.length} findings of Redocly, ${findings.length} of Schemathesis`)
  process.exitCode = lint.length + findings.length === 0 ? 0 : 1
} finally {
  if (platform.exitCode === null) {
    platform.kill()
    await once(platform, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
}

async function ready(): Promise<void> {
  for (let tried = 0; tried < 120 && platform.exitCode === null; tried += 1) {
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    if (answer?.ok === true) return
    await sleep(500)
  }
  throw new Error('the platform did not start')
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((found) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => found(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

function lintFindings(file: string): readonly string[] {
  const { stdout } = spawnSync(redocly ?? '', ['lint', file, '--format=json'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  const { problems } = JSON.parse(stdout) as { readonly problems: readonly JsonObject[] }
  return problems
    .map(({ ruleId, message, location }) => ({
      place: `${String(ruleId)} ${String(valueAt(location ?? null, '/0/pointer'))}`,
      message: String(message),
    }))
    .filter(({ place }) => !KNOWN_WARNINGS.has(place))
    .map(({ place, message }) => `${place}: ${message}`)
}

function requestFindings(file: string, document: JsonObject): readonly string[] {
  const token = readFileSync(join(folder, 'data/admin-token'), 'utf8').trim()
  const { stdout, stderr } = spawnSync(
    schemathesis ?? '',
    [
      'run',
      file,
      ...['--url', url, '-H', `Authorization: Bearer ${token}`, '-c', 'all', '--phases', phases],
      ...LEFT_OUT.flatMap((name) => ['--exclude-operation-id', name]),
      ...['--continue-on-failure', '--no-shrink', '--warnings', 'off', '--seed', '7'],
      ...['--report', 'ndjson', '--report-dir', folder],
    ],
    { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 },
  )
  console.log(/^Test cases:\n.*$/m.exec(stdout)?.[0] ?? stderr)
  const report = readdirSync(folder).find((name) => name.startsWith('ndjson'))
  if (report === undefined) throw new Error(`Schemathesis has written no report: ${stdout}${stderr}`)
  const lines = readFileSync(join(folder, report), 'utf8').trim().split('\n')
  const events = lines.map((line) => JSON.parse(line) as JsonObject)
  const failures = events.flatMap(failuresOf).filter((one) => !isAnnounced(document, one))
  return [...new Set([...failures.map(({ text }) => text), ...events.flatMap(errorsOf)])]
}

/** Leaves out the media types that Schemathesis cannot write: it would not test their operations at all. */
function withoutUnwritten(key: string, value: Json): Json {
  if (key !== 'content' || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([type]) => !/cbor|msgpack/.test(type)))
}

/** Reads the error of a line of the report: an operation that the suite could not test is not one without failures. */
function errorsOf({ NonFatalError: error }: JsonObject): readonly string[] {
  return isObject(error)
    ? [`${String(error.label)}: not tested: ${JSON.stringify(error.value).slice(0, 300)}`]
    : []
}

interface Failure extends Refusal {
  /** For the reader. */
  readonly text: string
}

/** Reads the failed checks of a line of the report. */
function failuresOf(line: JsonObject): readonly Failure[] {
  const recorder = valueAt(line, '/ScenarioFinished/recorder')
  if (!isObject(recorder)) return []
  const { checks, interactions, label } = recorder
  return Object.entries(isObject(checks) ? checks : {}).flatMap(([id, list]) =>
    (Array.isArray(list) ? list : []).filter(isObject).flatMap((check) => {
      if (check.status !== 'failure') return []
      const body = valueAt(interactions ?? null, `/${id}/response/content/$base64`)
      const answer = textOfContent(body)
      return [
        {
          operation: String(label),
          check: String(check.name),
          problem: parsed(answer),
          text: `${String(label)}: ${String(valueAt(check, '/failure_info/failure/title'))}: ${answer.slice(0, 300)}`,
        },
      ]
    }),
  )
}

/** The report has bodies in Base64. */
function textOfContent(value: Json | undefined): string {
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : ''
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}
