import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { WaybillError } from '../../src/document/issue.ts'
import { statusOfError } from '../../src/http/status-of-code.ts'
import { hostManifest } from '../../src/plan/host-manifest.ts'
import { readUpload } from '../../src/platform/agents/read-upload.ts'
import { definitionOf, json } from './organisation.ts'

let manifest: ReturnType<typeof hostManifest>
before(() => {
  manifest = hostManifest('1.0.0', '2026-01-01T00:00:00Z')
})

const upload = (agent: object) =>
  readUpload(
    json(definitionOf(agent)),
    'application/json',
    { manifest: () => manifest },
    { trust: { keys: () => [] }, uploader: 'ada' },
  )
const tool = (protocol: string, endpoint: string) => ({
  tools: [{ name: 'get', description: 'Gets.', protocol, endpoint, parameters_schema: { type: 'object' } }],
})
const context = (type: string, value: string) => ({ context: [{ type, label: 'x', value }] })
const subagent = (ref: string) => ({
  orchestration: { role: 'orchestrator', subagents: [{ ref, alias: 'h' }] },
})
const model = (base_url: string) => ({
  model: { provider: 'custom', provider_id: 'own', preferred: 'm', base_url },
})

const ENDPOINT = '/agent/tools/0/endpoint'
const VALUE = '/agent/context/0/value'
const REF = '/agent/orchestration/subagents/0/ref'

/** What names something of the machine of the platform, its pointer, and what to do instead. */
const REFUSED: readonly (readonly [agent: object, pointer: string, hint: RegExp])[] = [
  ...[
    '/etc/passwd',
    'notes.txt',
    './notes.txt',
    '../notes.txt',
    'file:///etc/passwd',
    'FILE:/x',
    'C:\\x',
  ].map((path) => [context('file', path), VALUE, /write the text/] as const),
  [context('url', 'file:///etc/passwd'), VALUE, /https URL/],
  [context('schema_ref', './schema.json'), VALUE, /https URL/],
  ...['file:///api.json', '/api.json', './api.json', 'api.yaml', 'stdio:///bin/cat'].map(
    (path) => [tool('openapi', path), ENDPOINT, /https URL/] as const,
  ),
  [tool('http', 'file:///x'), ENDPOINT, /https URL/],
  ...[
    'stdio:///bin/cat?args=/etc/passwd',
    'stdio:/bin/cat',
    'stdio:npx server',
    'file:///bin/cat',
    './server.mjs',
  ].map((path) => [tool('mcp', path), ENDPOINT, /mcp_servers/] as const),
  ...['file:///srv/crm.mjs', './crm.mjs', '/srv/crm.mjs', 'crm.ts'].map(
    (path) => [tool('function', path), ENDPOINT, /the operator installs function modules/] as const,
  ),
  ...['on_start', 'on_complete', 'on_error', 'on_tool_call'].flatMap((event) =>
    ['./hooks.mjs#check', '/srv/hooks.mjs', 'file:///srv/hooks.mjs', 'hooks/check'].map(
      (path) => [{ events: { [event]: path } }, `/agent/events/${event}`, /the operator installs/] as const,
    ),
  ),
  ...['./helper.yaml', '/srv/helper.yaml', '../helper', 'helper.json', 'file:///helper.yaml', '~/helper'].map(
    (path) => [subagent(path), REF, /upload the sub-agent/] as const,
  ),
  [model('file:///v1'), '/agent/model/base_url', /https URL/],
  [
    { telemetry: { tracing: true, otlp_endpoint: 'file:///x' } },
    '/agent/telemetry/otlp_endpoint',
    /https URL/,
  ],
]

const ACCEPTED: readonly object[] = [
  context('text', '/etc/passwd'),
  context('file', 'https://docs.example/notes.txt'),
  context('url', 'https://docs.example/notes.txt'),
  context('schema_ref', 'https://docs.example/schema.json'),
  tool('openapi', 'https://api.example/openapi.json'),
  tool('mcp', 'mcp://crm/look'),
  tool('mcp', 'stdio:crm'),
  tool('mcp', 'stdio://crm/look'),
  tool('mcp', 'wss://mcp.example/x'),
  { events: { on_start: 'check', on_tool_call: 'crm.check-it' } },
  subagent('0198c0de-0000-7000-8000-000000000099'),
  subagent('urn:uuid:0198c0de-0000-7000-8000-000000000099'),
  subagent('Helper 2.0'),
  subagent('https://agents.example/helper.yaml'),
  model('https://models.example/v1'),
]

describe('AAIF-12-02: an uploaded definition names no program, module or file of the platform', () => {
  for (const [agent, pointer, hint] of REFUSED)
    test(`refuses ${JSON.stringify(agent).slice(0, 160)}`, () => {
      assert.throws(
        () => upload(agent),
        (error: WaybillError) => {
          const { code, details } = error
          assert.deepEqual(
            [code, statusOfError(error), details.at, details.rule],
            ['HOST_NAME_REFUSED', 422, pointer, 'AAIF-12-02'],
            error.message,
          )
          assert.match(details.hint ?? '', hint)
          assert.deepEqual(
            details.issues?.map((issue) => [issue.pointer, issue.line]),
            [[pointer, 1]],
          )
          return true
        },
      )
    })

  for (const agent of ACCEPTED)
    test(`accepts ${JSON.stringify(agent).slice(0, 160)}`, () => {
      assert.equal(upload(agent).name, 'Clerk')
    })

  test('reports each of several names', () => {
    assert.throws(
      () => upload({ ...context('file', 'a.txt'), ...subagent('./b.yaml') }),
      ({ details }: WaybillError) => {
        assert.deepEqual(
          details.issues?.map(({ pointer }) => pointer),
          [VALUE, REF],
        )
        return true
      },
    )
  })
})
