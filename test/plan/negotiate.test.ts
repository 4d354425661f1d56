import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { CONDITION_LANGUAGES, evaluateCondition } from '../../src/condition/index.ts'
import type { Json } from '../../src/document/json.ts'
import { hostCapabilities } from '../../src/plan/host-capabilities.ts'
import { hostManifest } from '../../src/plan/host-manifest.ts'
import { residency } from '../../src/plan/negotiation/advertised.ts'
import { negotiate } from '../../src/plan/negotiation/negotiate.ts'
import type { AgentDefinition } from '../../src/spec/aaif/generated/agent.ts'
import type { PlatformManifest } from '../../src/spec/aaif/generated/manifest.ts'
import { capabilitiesRegistry } from '../../src/spec/aaif/registries/capabilities.registry.ts'
import { validateAgentDefinition } from '../../src/spec/aaif/validate-agent-definition.ts'
import { validatePlatformManifest } from '../../src/spec/aaif/validate-platform-manifest.ts'
import { Place, waybill } from '../cli/fixture.ts'

type Capabilities = NonNullable<PlatformManifest['platform']['capabilities']>

function manifest(capabilities: Capabilities = {}, more: object = {}): PlatformManifest {
  return {
    sc_standard: 'SC-006',
    sc_version: '3.4.0',
    platform: {
      name: 'Post office',
      version: '2',
      aaif_conformance_level: 'Portable',
      capabilities,
      ...more,
    },
  }
}

function agent(members: object): AgentDefinition {
  return {
    sc_standard: 'SC-006',
    agent: { name: 'Clerk', goal: 'File letters.', ...members },
  } as AgentDefinition
}

const requiring = (...required_capabilities: string[]) => agent({ required_capabilities })
const needOf = (definition: AgentDefinition, on: PlatformManifest, name: string) =>
  negotiate(definition, on).needs.find(({ need }) => need === name)

const STANDARD_1 = [
  'tool.function',
  'tool.mcp',
  'tool.http',
  'tool.openapi',
  'memory.vector',
  'memory.redis',
  'memory.postgres',
  'memory.pinecone',
  'memory.qdrant',
  'orchestration.parallel',
  'orchestration.handoff',
  'orchestration.pipeline',
  'orchestration.consensus',
]
const STANDARD_2 = [
  'telemetry.otel',
  'compliance.data_residency',
  'compliance.hitl',
  'compliance.audit_log',
  'auth.vault',
  'io.streaming',
  'io.async',
  'io.batch',
  'state.checkpoint',
  'state.restore',
]

/** A platform that does everything there is a key for. */
const able = manifest({
  tool: { function: true, mcp: true, http: true, openapi: true },
  memory: { vector: true, redis: true, postgres: true, pinecone: true, qdrant: true },
  orchestration: {
    parallel: true,
    handoff: true,
    pipeline: true,
    consensus: true,
    condition_languages: ['cel'],
  },
  telemetry: { otel_traces: true },
  compliance: { human_in_the_loop: true, audit_log: true, data_residency_regions: ['EU'] },
  auth: { vault: { supported: true } },
  state: { checkpoint: true },
})

describe('AAIF §7 capability negotiation', () => {
  test('AAIF-7-03, AAIF-7-04: each standard capability is met by its manifest key', () => {
    const registered = new Set(capabilitiesRegistry.entries.map(({ id }) => id))
    for (const name of [...STANDARD_1, ...STANDARD_2]) {
      assert.ok(registered.has(name), name)
      assert.equal(needOf(requiring(name), able, name)?.met, !name.startsWith('io.'), name)
      assert.equal(
        needOf(requiring(name), manifest(), name)?.met,
        false,
        `${name} on a platform that says nothing`,
      )
    }
  })

  test('SPEC-R-01: condition.structured is standard, and met by any condition language', () => {
    assert.ok(
      capabilitiesRegistry.entries.some(
        ({ id, status }) => id === 'condition.structured' && status === 'standard',
      ),
    )
    assert.equal(needOf(requiring('condition.structured'), able, 'condition.structured')?.met, true)
    const none = manifest({ orchestration: { condition_languages: [] } })
    assert.equal(needOf(requiring('condition.structured'), none, 'condition.structured')?.met, false)
  })

  test('a capability without a manifest key is met if it is advertised elsewhere', () => {
    const streaming = { ...manifest(), 'x-waybill-capabilities': ['io.streaming'] } as PlatformManifest
    assert.equal(needOf(requiring('io.streaming'), streaming, 'io.streaming')?.met, true)
    const [need] = negotiate(requiring('io.async'), manifest(), { advertised: ['io.async'] }).needs
    assert.equal(need?.met, true)
  })

  test('the path of a manifest key is an alias; inherited members of objects are not', () => {
    const on = manifest({ memory: { in_memory: true }, telemetry: { otel_traces: true } })
    for (const name of ['memory.in_memory', 'telemetry.otel_traces']) {
      assert.equal(needOf(requiring(name), on, name)?.met, true)
    }
    for (const name of [
      'memory.constructor',
      'constructor.name',
      '__proto__',
      'memory',
      'memory.in_memory.x',
      '',
    ]) {
      assert.equal(needOf(requiring(name), on, name)?.met, false, name)
    }
  })

  test('AAIF-7-05: an unknown capability is valid, and unmet', () => {
    const definition = requiring('foo.bar')
    assert.deepEqual(validateAgentDefinition(definition as unknown as Json), [])
    assert.deepEqual(negotiate(definition, able).unmet, ['foo.bar'])
  })

  test('AAIF-7-01: every entry is checked, and each unmet one is named by an issue at its place', () => {
    const names = ['foo.bar', 'tool.mcp', 'tool.http', 'io.batch', 'state.restore', 'Tool.MCP', 'x']
    for (const safety_level of ['minimal', 'standard', 'strict', 'regulated']) {
      const definition = agent({ required_capabilities: names, compliance: { safety_level } })
      const { needs, issues, unmet } = negotiate(definition, manifest({ tool: { http: true } }))
      assert.deepEqual(
        needs.map(({ need }) => need),
        names,
      )
      assert.deepEqual(
        unmet,
        names.filter((name) => name !== 'tool.http'),
      )
      assert.deepEqual(
        issues.map(({ pointer }) => pointer),
        [0, 1, 3, 4, 5, 6].map((index) => `/agent/required_capabilities/${index}`),
      )
      for (const [index, { message }] of issues.entries()) assert.ok(message.includes(unmet[index] ?? '?'))
    }
  })

  const verdictAt = (safety_level: string, on = manifest()) =>
    negotiate(
      agent({ required_capabilities: ['tool.mcp', 'memory.redis'], compliance: { safety_level } }),
      on,
    )

  test('AAIF-7-06: minimal accepts with a warning for each missing capability', () => {
    const { verdict, issues } = verdictAt('minimal')
    assert.equal(verdict, 'accept_degraded')
    assert.deepEqual(
      issues.map(({ severity }) => severity),
      ['warning', 'warning'],
    )
    assert.match(issues[0]?.message ?? '', /tool\.mcp.*runs without it/)
  })

  test('AAIF-7-07: standard imports with a warning that the feature is disabled', () => {
    const { verdict, issues } = verdictAt('standard')
    assert.equal(verdict, 'accept_degraded')
    assert.match(
      issues[1]?.message ?? '',
      /memory\.redis.*imported, and features that depend on it are disabled/,
    )
    assert.equal(negotiate(requiring('tool.mcp'), manifest()).safety_level, 'standard')
  })

  test('AAIF-7-08: strict rejects and lists every unmet capability', () => {
    const { verdict, issues, unmet, must_be_audited } = verdictAt('strict')
    assert.deepEqual([verdict, must_be_audited], ['reject', false])
    assert.deepEqual(unmet, ['tool.mcp', 'memory.redis'])
    assert.deepEqual(
      issues.map(({ severity, rule }) => `${severity} ${rule}`),
      ['error AAIF-7-08', 'error AAIF-7-08'],
    )
    assert.equal(verdictAt('strict', able).verdict, 'accept')
  })

  test('AAIF-7-09: regulated rejects, and the rejection must be audited', () => {
    const { verdict, must_be_audited } = verdictAt('regulated')
    assert.deepEqual([verdict, must_be_audited], ['reject', true])
    assert.equal(verdictAt('regulated', able).must_be_audited, false)
  })

  test('SPEC-U-02: both spellings of vaults are equal', () => {
    const using = (provider: string) =>
      agent({
        tools: [
          { name: 't', description: 'T.', auth: { type: 'bearer', vault_ref: { provider, path: 'p' } } },
        ],
      })
    const on = (...providers: string[]) =>
      manifest({ auth: { vault: { supported: true, providers } } } as Capabilities)
    const vault = (provider: string, platform: PlatformManifest) =>
      needOf(using(provider), platform, `vault ${provider}`)?.met
    for (const [ours, theirs] of [
      ['aws_secretsmanager', 'aws_secrets_manager'],
      ['azure_keyvault', 'azure_key_vault'],
      ['gcp_secretmanager', 'gcp_secret_manager'],
      ['hashicorp_vault', 'hashicorp_vault'],
      ['1password', '1password'],
    ] as const) {
      assert.equal(vault(ours, on(theirs)), true, ours)
      assert.equal(vault(ours, on()), false, ours)
    }
    assert.equal(vault('aws_secretsmanager', on('azure_key_vault')), false)
    assert.equal(vault('custom', on('1password', 'hashicorp_vault')), false)
    const off = manifest({ auth: { vault: { supported: false, providers: ['1password'] } } })
    assert.equal(vault('1password', off), false)
  })

  test('a memory backend without a manifest key is unmet, unless another vector store can replace it', () => {
    const using = (backend: string) => agent({ memory: [{ scope: 'task', content: 'x', backend }] })
    const met = (backend: string, memory: Capabilities['memory']) =>
      negotiate(using(backend), manifest({ memory: memory ?? {} })).needs[0]?.met
    assert.equal(met('redis', { redis: true }), true)
    assert.equal(met('weaviate', { vector: true }), true)
    assert.equal(met('pinecone', { qdrant: true }), true)
    assert.equal(met('pinecone', {}), false)
    assert.equal(met('sqlite', { vector: true, postgres: true }), false)
    // Pinned by name it must be that one.
    const pinned = agent({ required_capabilities: ['memory.pinecone'] })
    assert.equal(negotiate(pinned, manifest({ memory: { qdrant: true } })).verdict, 'accept_degraded')
  })

  test('a region must be listed with the same spelling, at every safety level; custom never matches', () => {
    const staying = (data_residency: string, safety_level = 'minimal') =>
      negotiate(agent({ compliance: { data_residency, safety_level } }), able).verdict
    assert.equal(staying('EU'), 'accept')
    assert.equal(staying('global'), 'accept')
    assert.equal(staying('US'), 'reject')
    assert.equal(staying('custom'), 'reject')
    const capability = agent({
      required_capabilities: ['compliance.data_residency'],
      compliance: { data_residency: 'UK' },
    })
    assert.equal(needOf(capability, able, 'compliance.data_residency')?.met, false)
  })

  test('a region that is not listed is answered with the listed ones', () => {
    const howOf = (data_residency: string, data_residency_regions: readonly string[]) =>
      residency(
        { platform: { capabilities: { compliance: { data_residency_regions } } } } as never,
        data_residency,
      )
    assert.deepEqual(howOf('US', ['EU', 'UK']), { met: false, how: 'no region US: listed are EU, UK' })
    assert.deepEqual(howOf('US', []), { met: false, how: 'no region US: no region is listed' })
    assert.deepEqual(howOf('EU', ['EU']), { met: true, how: 'compliance.data_residency_regions contains EU' })
    assert.deepEqual(howOf('custom', ['custom']), { met: false, how: 'no region custom: listed are custom' })
    assert.deepEqual(howOf('global', []), {
      met: false,
      how: 'compliance.data_residency_regions: no region is listed',
    })
    assert.deepEqual(howOf('global', ['EU']), {
      met: true,
      how: 'compliance.data_residency_regions: listed are EU',
    })
  })

  test('a condition in an unsupported language is an unmet need, except always and never', () => {
    const when = (lang: string) =>
      agent({
        orchestration: { subagents: [{ ref: 'urn:a', when: { lang, expr: 'x' } }] },
        compliance: { safety_level: 'strict' },
      })
    assert.equal(negotiate(when('cel'), able).verdict, 'accept')
    assert.equal(negotiate(when('jmespath'), able).verdict, 'reject')
    assert.equal(negotiate(when('never'), able).verdict, 'accept')
  })

  test('a capability that is used but not required is a need too, reported once', () => {
    const tool = (name: string) => ({ name, description: 'T.', protocol: 'mcp', endpoint: 'mcp://t' })
    const { needs } = negotiate(agent({ tools: [tool('a'), tool('b')] }), manifest())
    assert.deepEqual(
      needs.map(({ need, pointer }) => `${need} ${pointer}`),
      ['tool.mcp /agent/tools/0/protocol'],
    )
  })
})

describe('the manifest of this host', () => {
  const ours = hostManifest('1.0.0', '2026-03-01T09:00:00Z')

  test('it is valid, and advertises exactly the capabilities that plans rely on', () => {
    assert.deepEqual(validatePlatformManifest(ours as unknown as Json), [])
    for (const { id } of capabilitiesRegistry.entries) {
      if (id === 'compliance.data_residency') continue
      assert.equal(needOf(requiring(id), ours, id)?.met, hostCapabilities().has(id), id)
    }
  })

  test('it lists the published versions of the format, and each of them is read without a warning', () => {
    const listed = ours.platform.aaif_versions_supported ?? []
    assert.deepEqual([...listed], ['1.0.0', '2.0.0', '2.1.0', '3.0.0', '3.1.0', '3.2.0', '3.3.0', '3.4.0'])
    for (const sc_version of listed)
      assert.deepEqual(validateAgentDefinition({ ...agent({}), sc_version } as unknown as Json), [])
  })

  test('SPEC-V-05: it lists the supported condition languages', () => {
    const listed = ours.platform.capabilities?.orchestration?.condition_languages ?? []
    assert.deepEqual([...listed], [...CONDITION_LANGUAGES])
    const truths = { jsonpath: '$.a', jmespath: 'a', cel: 'a == "x"', jsonlogic: { var: 'a' } } as const
    for (const lang of listed) {
      const expr = lang in truths ? truths[lang as keyof typeof truths] : undefined
      const { outcome } = evaluateCondition({ lang, ...(expr !== undefined && { expr }) }, { a: 'x' })
      assert.equal(outcome, lang === 'never' ? 'false' : 'true', lang)
    }
  })
})

interface Asked {
  readonly url: string
  readonly method: string
}

/** A platform that publishes a manifest, and takes definitions. */
async function platform(t: TestContext, answer: (url: string) => object) {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    asked.push({ url: request.url ?? '', method: request.method ?? '' })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer(url)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { asked, host, url: `http://${host}/.well-known/aaif-manifest.json` }
}

describe('waybill negotiate', () => {
  test('AAIF-7-13: the verdict is based on the fetched manifest, and no other request is sent', async (t) => {
    const place = new Place(t)
    const { asked, url, host } = await platform(t, (base) =>
      manifest({ tool: { http: true } }, { intake_endpoint: { url: `${base}/intake` } }),
    )
    for (const [safety_level, code, verdict] of [
      ['minimal', 0, 'accept_degraded'],
      ['standard', 0, 'accept_degraded'],
      ['strict', 1, 'reject'],
      ['regulated', 1, 'reject'],
    ] as const) {
      place.write(
        'agent.json',
        JSON.stringify(agent({ required_capabilities: ['tool.mcp'], compliance: { safety_level } })),
      )
      const said = await waybill(place, [
        'negotiate',
        'agent.json',
        '--manifest',
        url,
        '--allow-host',
        host,
        '--json',
      ])
      const answer = JSON.parse(said.out)
      assert.deepEqual([said.code, answer.verdict, answer.ok], [code, verdict, code === 0])
      assert.deepEqual(answer.unmet, ['tool.mcp'])
      assert.equal(answer.issues[0].code, 'CAPABILITY_UNMET')
    }
    assert.deepEqual(
      new Set(asked.map(({ method, url: path }) => `${method} ${path}`)),
      new Set(['GET /.well-known/aaif-manifest.json']),
    )
  })

  test('a private address is requested only if it is allowed', async (t) => {
    const place = new Place(t)
    const { asked, url } = await platform(t, () => manifest())
    const said = await waybill(place, ['negotiate', 'agent.json', '--manifest', url, '--json'])
    assert.equal(said.code, 2)
    assert.equal(JSON.parse(said.out).error.code, 'PUBLISHED_UNREACHABLE')
    assert.match(JSON.parse(said.out).error.hint, /--allow-host/)
    assert.deepEqual(asked, [])
  })

  test('SPEC-U-05: an expired manifest or report is fetched again, a fresh one is not', async (t) => {
    const place = new Place(t)
    const fresh = { manifest_expires_at: '2999-01-01T00:00:00Z' }
    const { asked, host, url } = await platform(t, () => manifest({ tool: { function: true } }, fresh))
    const copy = (expires: string) =>
      place.write(
        'manifest.json',
        JSON.stringify(manifest({}, { manifest_expires_at: expires, manifest_url: url })),
      )
    const ask = async () =>
      JSON.parse(
        (
          await waybill(place, [
            'negotiate',
            'agent.json',
            '--manifest',
            'manifest.json',
            '--allow-host',
            host,
            '--json',
          ])
        ).out,
      )
    copy('2999-01-01T00:00:00Z')
    assert.deepEqual((await ask()).unmet.includes('tool.function'), true)
    assert.equal(asked.length, 0)
    copy('2020-01-01T00:00:00Z')
    const answer = await ask()
    assert.equal(asked.length, 1)
    assert.deepEqual(
      [answer.manifest.source, answer.manifest.fetched, answer.manifest.expired],
      [url, true, false],
    )
    assert.equal(answer.unmet.includes('tool.function'), false)

    const reports = await platform(t, (base) => report('2999-01-01T00:00:00Z', `${base}/report`))
    place.write(
      'report.json',
      JSON.stringify(report('2020-01-01T00:00:00Z', `http://${reports.host}/report`)),
    )
    await waybill(place, [
      'negotiate',
      'agent.json',
      '--manifest',
      'manifest.json',
      '--report',
      'report.json',
      '--allow-host',
      host,
      '--allow-host',
      reports.host,
      '--json',
    ])
    assert.deepEqual(
      reports.asked.map(({ url: path }) => path),
      ['/report'],
    )
  })

  test('an expired manifest that cannot be fetched again is used with a warning', async (t) => {
    const place = new Place(t)
    place.write(
      'manifest.json',
      JSON.stringify(manifest({}, { manifest_expires_at: '2020-01-01T00:00:00Z' })),
    )
    const { out, code } = await waybill(place, [
      'negotiate',
      'agent.json',
      '--manifest',
      'manifest.json',
      '--json',
    ])
    assert.equal(JSON.parse(out).issues[0].code, 'PUBLISHED_EXPIRED')
    assert.ok([0, 1].includes(code))
    const pretty = await waybill(place, ['negotiate', 'agent.json', '--manifest', 'manifest.json'])
    assert.match(pretty.out, /has expired: it was valid until 2020-01-01/)
  })

  test('an invalid host is refused, even if nothing is fetched or the copy has expired', async (t) => {
    const place = new Place(t)
    for (const manifest_expires_at of ['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z']) {
      const manifest_url = 'https://platform.example/manifest.json'
      place.write('manifest.json', JSON.stringify(manifest({}, { manifest_expires_at, manifest_url })))
      const argv = ['negotiate', 'agent.json', '--manifest', 'manifest.json', '--allow-host', 'a b', '--json']
      const { code, out } = await waybill(place, argv)
      assert.deepEqual([code, JSON.parse(out).error.code], [2, 'HOST_GRANT_INVALID'])
    }
  })

  test('the manifest lists only the regions that the operator configured', async (t) => {
    const place = new Place(t)
    const regions = async () =>
      JSON.parse((await waybill(place, ['manifest', '--config', 'config.yaml'])).out).platform.capabilities
        .compliance.data_residency_regions
    place.write('config.yaml', '{}\n')
    assert.equal(await regions(), undefined)
    place.write('config.yaml', 'residency:\n  mistral: [EU]\n  openai: [US, EU]\n')
    assert.deepEqual(await regions(), ['EU', 'US'])
  })

  test('waybill manifest prints a manifest that negotiate accepts', async (t) => {
    const place = new Place(t, requiring('tool.function'))
    const { out } = await waybill(place, ['manifest'])
    const { out: verdict, code } = await waybill(
      place,
      ['negotiate', 'agent.json', '--manifest', '-', '--json'],
      { stdin: out },
    )
    assert.deepEqual([code, JSON.parse(verdict).verdict], [0, 'accept'])
  })
})

function report(expires_at: string, report_url: string) {
  return {
    sc_standard: 'SC-006',
    report: { generated_at: '2019-01-01T00:00:00Z', expires_at, aaif_versions: ['3.4.0'], report_url },
    platform: { name: 'Post office' },
    claims: [{ level: 'Core', direction: 'consumer', test_suite: { corpus: 'c', passed: 1, total: 1 } }],
  }
}
