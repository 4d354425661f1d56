/**
 * Tests the MCP client with the official runner: `WAYBILL_MCP_CONFORMANCE=FOLDER npm run verify:mcp`. FOLDER is outside the
 * repository and has the package `@modelcontextprotocol/conformance`, version 0.2.0-alpha.12, in its `node_modules`.
 * Fails if a scenario fails that is not listed in `mcp-failures.ts`, or if a listed one passes.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXPECTED_FAILURES } from './mcp-failures.ts'

const VERSION = '0.2.0-alpha.12'

/** All scenarios for clients but those of authorization and of extensions, with the revisions that they are for. */
const SCENARIOS: readonly (readonly [string, readonly string[]])[] = [
  ['initialize', ['2025-11-25']],
  ['tools_call', ['2025-11-25', '2026-07-28']],
  ['elicitation-sep1034-client-defaults', ['2025-11-25']],
  ['sse-retry', ['2025-11-25']],
  ['request-metadata', ['2026-07-28']],
  ['sep-2322-client-request-state', ['2026-07-28']],
  ['http-standard-headers', ['2026-07-28']],
  ['http-custom-headers', ['2026-07-28']],
  ['http-invalid-tool-headers', ['2026-07-28']],
  ['json-schema-ref-no-deref', ['2026-07-28']],
  ['json-schema-2020-12-preservation', ['2025-11-25', '2026-07-28']],
]

const folder = process.env.WAYBILL_MCP_CONFORMANCE
if (folder === undefined) throw new Error('set WAYBILL_MCP_CONFORMANCE to the folder with the runner')
const runner = join(folder, 'node_modules/@modelcontextprotocol/conformance')
const { version } = JSON.parse(readFileSync(join(runner, 'package.json'), 'utf8')) as { version: string }
if (version !== VERSION) throw new Error(`the runner has version ${version}, and ${VERSION} is wanted`)

let passed = 0
let failed = 0
for (const [scenario, revisions] of SCENARIOS)
  for (const revision of revisions) {
    const client = `${process.execPath} ${join(import.meta.dirname, 'mcp-client.ts')}`
    const { status, stdout } = spawnSync(
      process.execPath,
      [
        join(runner, 'dist/index.js'),
        'client',
        ...['--command', client, '--scenario', scenario, '--spec-version', revision],
      ],
      { encoding: 'utf8' },
    )
    const counts = /^Passed: .*$/m.exec(stdout)?.[0] ?? ''
    const reason = EXPECTED_FAILURES[scenario]
    const isExpected = (status === 0) === (reason === undefined)
    const outcome = status === 0 ? 'passes' : 'fails'
    console.log(`${isExpected ? '✔' : '✖'} ${scenario} (${revision}) ${outcome}. ${counts} ${reason ?? ''}`)
    if (!isExpected) console.log(stdout)
    if (isExpected) passed += 1
    else failed += 1
  }
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
