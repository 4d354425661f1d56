import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { readDocument } from '../../src/document/read-document.ts'
import { planRun, run } from '../../src/index.ts'
import { negotiate } from '../../src/plan/negotiation/negotiate.ts'
import { conformanceLevels } from '../../src/spec/aaif/conformance-levels.ts'
import type { AgentDefinition } from '../../src/spec/aaif/generated/agent.ts'
import type { PlatformManifest } from '../../src/spec/aaif/generated/manifest.ts'
import { validateAgentDefinition } from '../../src/spec/aaif/validate-agent-definition.ts'
import { Place, waybill } from '../cli/fixture.ts'

const EXTENSIONS: JsonObject = {
  'x-acme-desk': { number: 7, keys: [null, true, 'ä'] },
  'x-safety-level': 'minimal',
  'x-model': { provider: 'openai', preferred: 'gpt-4o' },
  'x-tools': [{ name: 'send_mail', gate: 'allow' }],
  'x-waybill': { allow_hosts: ['*'], allow_deprecated: true },
  'x-waybill-capabilities': ['acme.magic', 'io.async'],
  'x-': 'as short as can be',
}

const definition = {
  sc_standard: 'SC-006',
  sc_version: '3.4.0',
  agent_id: 'a1b2c3d4-0001-4000-8000-parcel000001',
  agent: {
    name: 'Clerk',
    version: '1.0.0',
    goal: 'Send what is due.',
    required_capabilities: ['acme.magic', 'tool.function'],
    model: { provider: 'custom', provider_id: 'desk', preferred: 'm' },
    tools: [
      {
        name: 'send_mail',
        description: 'Sends.',
        protocol: 'function',
        parameters_schema: { type: 'object' },
      },
    ],
    compliance: { safety_level: 'standard' },
  },
} as const satisfies JsonObject

const planOf = (value: JsonObject) => planRun(value as unknown as AgentDefinition, { env: {} })

const MANIFEST = {
  sc_standard: 'SC-006',
  sc_version: '3.4.0',
  platform: {
    name: 'P',
    version: '1',
    aaif_conformance_level: 'Core',
    capabilities: { tool: { function: true } },
  },
} as PlatformManifest

describe('a definition that travels', () => {
  test('AAIF-4.1-04: reading, planning, running, transcoding and signing do not change agent_id', async (t) => {
    const place = new Place(t, definition)
    assert.equal((await planOf(definition)).agent_id, definition.agent_id)
    const result = await run(definition as unknown as AgentDefinition, { rehearse: true, input: 'x' })
    assert.equal(result.agent_id, definition.agent_id)
    for (const [encoding, file] of [
      ['yaml', 'out.yaml'],
      ['cbor', 'out.cbor'],
      ['msgpack', 'out.msgpack'],
      ['json', 'out.json'],
    ] as const) {
      await waybill(place, ['transcode', 'agent.json', '--to', encoding, '-o', file])
      assert.equal(read(place, file).agent_id, definition.agent_id)
    }
    await waybill(place, ['keys', 'new', 'desk'])
    await waybill(place, ['sign', 'agent.json', '--key', 'desk', '--in-place'])
    const { agent_id, provenance } = read(place, 'agent.json')
    assert.equal(agent_id, definition.agent_id)
    assert.equal(typeof (provenance as JsonObject).signature, 'string')
  })

  test('AAIF-4.1-05: another version of the agent or of the format is the same agent', async () => {
    const plans = await Promise.all([
      planOf(definition),
      planOf({ ...definition, agent: { ...definition.agent, version: '2.0.0' } }),
      planOf({ ...definition, sc_version: '3.3.0' }),
    ])
    assert.deepEqual(
      plans.map((plan) => plan.agent_id),
      plans.map(() => definition.agent_id),
    )
    assert.equal(new Set(plans.map((plan) => plan.definition_hash)).size, 3)
  })

  test('SPEC-W-03: unknown x- members change no verdict, level, plan, negotiation or run', async () => {
    const extended = { ...definition, ...EXTENSIONS }
    const findings = (value: Json) =>
      validateAgentDefinition(value).filter(({ code }) => code !== 'EXTENSION_SHADOWS_STANDARD')
    assert.deepEqual(findings(extended), findings(definition))
    assert.deepEqual(conformanceLevels(extended, []), conformanceLevels(definition, []))
    const decided = async (value: JsonObject) => {
      const { definition_hash: _hash, ...plan } = await planOf(value)
      return plan
    }
    assert.deepEqual(await decided(extended), await decided(definition))
    assert.deepEqual(
      negotiate(extended as unknown as AgentDefinition, MANIFEST),
      negotiate(definition as unknown as AgentDefinition, MANIFEST),
    )
    const rehearsed = async (value: JsonObject) => {
      const {
        run_id: _id,
        usage,
        ...rest
      } = await run(value as unknown as AgentDefinition, {
        rehearse: true,
        input: 'x',
      })
      return { ...rest, usage: { ...usage, duration_ms: 0 } }
    }
    assert.deepEqual(await rehearsed(extended), await rehearsed(definition))
    const strange = {
      ...MANIFEST,
      'x-tool': { mcp: true },
      'x-capabilities': ['acme.magic'],
    } as PlatformManifest
    assert.deepEqual(
      negotiate(definition as unknown as AgentDefinition, strange),
      negotiate(definition as unknown as AgentDefinition, MANIFEST),
    )
  })

  test('SPEC-W-04: every command that rewrites a document keeps its x- members', async (t) => {
    const place = new Place(t, { ...definition, ...EXTENSIONS })
    for (const [encoding, file] of [
      ['yaml', 'out.yaml'],
      ['cbor', 'out.cbor'],
      ['msgpack', 'out.msgpack'],
      ['json', 'out.json'],
    ] as const) {
      await waybill(place, ['transcode', 'agent.json', '--to', encoding, '-o', file])
      assert.deepEqual(extensionsOf(read(place, file)), EXTENSIONS, encoding)
    }
    const { out } = await waybill(place, ['canonicalize', 'agent.json'])
    assert.deepEqual(extensionsOf(JSON.parse(out)), EXTENSIONS)
    await waybill(place, ['keys', 'new', 'desk'])
    await waybill(place, ['sign', 'agent.json', '--key', 'desk', '--in-place'])
    assert.deepEqual(extensionsOf(read(place, 'agent.json')), EXTENSIONS)
    assert.equal((await waybill(place, ['verify', 'agent.json'])).code, 0, 'they are signed too')
  })

  test('SPEC-SECURITY-02: a registered name grants no access to an endpoint', async (t) => {
    let asked = 0
    const server = createServer((_request, response) => {
      asked++
      response.end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const registry = {
      registry: 'aaif-model-providers',
      sc_standard: 'SC-006',
      description: 'Ours too.',
      registration_policy: 'Specification Required',
      entries: [{ id: 'acme', status: 'standard', since: '3.4.0', meaning: 'Acme.', docs: url }],
    }
    const using = {
      sc_standard: 'SC-006',
      agent: { name: 'Clerk', goal: 'G.', model: { provider: 'acme', base_url: url, preferred: 'm' } },
    }
    const errors = validateAgentDefinition(using, { registries: [registry] }).filter(
      ({ severity }) => severity === 'error',
    )
    assert.deepEqual(errors, [], 'with the registry the name is valid')
    // The library knows the name only from an extension, which would also say how the provider is called.
    await assert.rejects(planOf(using), { code: 'DEFINITION_INVALID' })
    await assert.rejects(
      run(using as unknown as AgentDefinition, { input: 'x', env: { ACME_API_KEY: 'k' } }),
      { code: 'DEFINITION_INVALID' },
    )
    assert.equal(asked, 0)
  })
})

function read(place: Place, file: string): JsonObject {
  const { document } = readDocument(readFileSync(join(place.folder, file)), { file })
  return document?.value as JsonObject
}

function extensionsOf(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([name]) => name.startsWith('x-'))) as JsonObject
}
