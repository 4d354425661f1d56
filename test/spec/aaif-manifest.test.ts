import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { WaybillError } from '../../src/document/issue.ts'
import type { JsonObject } from '../../src/document/json.ts'
import { parseConformanceReport } from '../../src/spec/aaif/parse-conformance-report.ts'
import { parsePlatformManifest } from '../../src/spec/aaif/parse-platform-manifest.ts'
import { validateConformanceReport } from '../../src/spec/aaif/validate-conformance-report.ts'
import { validatePlatformManifest } from '../../src/spec/aaif/validate-platform-manifest.ts'
import { errorsOf, fromCorpus, having, judging } from './aaif-judging.ts'

const manifest = (await fromCorpus('aaif.manifest/valid/everything.json')) as JsonObject
const report = (await fromCorpus('aaif.conformance-report/valid/everything.json')) as JsonObject
const LEVELS = ['Core', 'Tooled', 'Portable', 'Multi-agent', 'Observable', 'Enterprise', 'Stateful']

describe('AAIF §7 Platform Manifest', () => {
  const { accepts, refuses, requires, closed } = judging('aaif.manifest', manifest)
  const able = '/platform/capabilities'

  test('SPEC-U-01: six members are required', () => {
    requires('SPEC-U-01', '/sc_standard', '/sc_version', '/platform')
    for (const name of ['name', 'version', 'aaif_conformance_level'])
      requires('SPEC-U-01', `/platform/${name}`)
    for (const name of Object.keys(manifest.platform as object)) {
      if (!/^(name|version|aaif_conformance_level)$/.test(name)) accepts(`/platform/${name}`, undefined)
    }
  })
  test('a manifest of an unknown version of the format gives a warning', () => {
    const warnings = (sc_version: string) =>
      validatePlatformManifest({ ...manifest, sc_version })
        .filter(({ severity }) => severity !== 'info')
        .map(({ severity, code, pointer }) => [severity, code, pointer])
    assert.deepEqual(warnings('4.0.0'), [['warning', 'SC_VERSION_UNKNOWN', '/sc_version']])
    assert.deepEqual(warnings('3.0.0'), [])
  })
  test('SPEC-U-04: intake_endpoint is an object of five members', () => {
    const intake = '/platform/intake_endpoint'
    refuses('SPEC-U-04', 'WRONG_TYPE', intake, 'https://post.example', [])
    accepts(`${intake}/method`, 'POST', 'PUT', undefined)
    refuses('SPEC-U-04', 'NOT_IN_ENUM', `${intake}/method`, 'GET', 'post')
    accepts(`${intake}/auth_scheme`, 'bearer', 'api_key', 'none', undefined)
    refuses('SPEC-U-04', 'NOT_IN_ENUM', `${intake}/auth_scheme`, 'oauth2')
    accepts(`${intake}/content_type`, 'application/cbor', undefined)
    refuses('SPEC-U-04', 'WRONG_TYPE', `${intake}/content_type`, 7)
    refuses('SPEC-U-04', 'OUT_OF_RANGE', `${intake}/max_body_bytes`, -1)
    closed('SPEC-U-04', intake)
  })
  test('SPEC-U-06: eight areas of capabilities, and a typing error in each of them is found', () => {
    const areas = ['tool', 'memory', 'model', 'orchestration', 'auth', 'state', 'compliance', 'telemetry']
    assert.deepEqual(Object.keys((manifest.platform as JsonObject).capabilities as object), areas)
    for (const area of areas) accepts(`${able}/${area}`, undefined, {})
    closed('SPEC-U-06', able, ...areas.map((area) => `${able}/${area}`), `${able}/auth/vault`)
  })
  test('SPEC-U-07: versions, languages and vaults have the form used in manifests', () => {
    const versions = '/platform/aaif_versions_supported'
    accepts(versions, ['1.0.0'], undefined)
    refuses('SPEC-U-07', 'TOO_FEW_ITEMS', versions, [])
    refuses('SPEC-U-07', 'PATTERN_MISMATCH', `${versions}/0`, '3.4', '3.x.x', 'v3.4.0')
    const languages = `${able}/orchestration/condition_languages`
    const twice = errorsOf('aaif.manifest', having(manifest, languages, ['cel', 'cel']))
    assert.deepEqual(
      twice.map(({ code, pointer, rule }) => [code, pointer, rule]),
      [['DUPLICATE_ITEMS', `${languages}/1`, 'SPEC-U-07']],
    )
    const vaults = `${able}/auth/vault/providers`
    for (const spelling of ['aws_secretsmanager', 'azure_keyvault', 'gcp_secretmanager', 'custom']) {
      refuses('SPEC-U-07', 'NOT_IN_ENUM', `${vaults}/0`, spelling)
    }
    const [error] = errorsOf('aaif.manifest', having(manifest, `${vaults}/0`, 'azure_keyvault'))
    assert.match(error?.hint ?? '', /azure_key_vault/)
  })
  test('capability names of agents give the name used in manifests', () => {
    const hints = [
      ['compliance/hitl', /human_in_the_loop/],
      ['telemetry/otel', /otel_traces/],
      ['state/restore', /checkpoint/],
    ] as const
    for (const [place, hint] of hints) {
      const [error] = errorsOf('aaif.manifest', having(manifest, `${able}/${place}`, true))
      assert.match(error?.hint ?? '', hint)
    }
  })
  test('dates in the wrong order and an endpoint without address are warned about', () => {
    const late = having(manifest, '/platform/manifest_expires_at', '2025-01-01T00:00:00Z')
    const bare = having(manifest, '/platform/intake_endpoint/url', undefined)
    assert.deepEqual(
      [late, bare].map((one) => validatePlatformManifest(one).map(({ severity, code }) => [severity, code])),
      [[['warning', 'TIME_ORDER']], [['warning', 'INTAKE_URL_MISSING']]],
    )
  })
  test('parsing a manifest returns its data or throws', () => {
    assert.deepEqual(parsePlatformManifest(JSON.stringify(manifest)), manifest)
    assert.throws(
      () => parsePlatformManifest({ sc_standard: 'SC-006' }),
      (error: WaybillError) => error.details.rule === 'SPEC-U-01',
    )
  })
})

describe('AAIF §6 levels and reports', () => {
  const { accepts, refuses, requires, closed } = judging('aaif.conformance-report', report)

  test('AAIF-6-01: seven levels, spelled exactly so, in manifests and in reports', () => {
    const places = [
      ['aaif.manifest', manifest, '/platform/aaif_conformance_level'],
      ['aaif.conformance-report', report, '/claims/0/level'],
    ] as const
    for (const [kind, document, pointer] of places) {
      const judge = judging(kind, document)
      judge.accepts(pointer, ...LEVELS)
      judge.refuses('AAIF-6-01', 'NOT_IN_ENUM', pointer, 'core', 'Multiagent', 'Multi-Agent', '', 'Full')
    }
  })
  test('AAIF-6-13: a report has its required members, and no sc_version', () => {
    requires('AAIF-6-13', '/sc_standard', '/report', '/report/generated_at', '/report/aaif_versions')
    requires('AAIF-6-13', '/platform', '/platform/name', '/claims')
    requires('AAIF-6-13', '/claims/0/level', '/claims/0/direction', '/claims/0/test_suite')
    for (const name of ['corpus', 'passed', 'total']) requires('AAIF-6-13', `/claims/0/test_suite/${name}`)
    refuses('AAIF-6-13', 'TOO_FEW_ITEMS', '/claims', [])
    refuses('AAIF-6-13', 'UNKNOWN_MEMBER', '/sc_version', '3.4.0')
    for (const name of ['supported', 'attestation']) accepts(`/${name}`, undefined)
    closed('SPEC-W-01', '', '/report', '/platform', '/claims/0', '/claims/0/test_suite', '/supported')
  })
  test('SPEC-Y-03: a claim is made as producer, consumer or both', () => {
    accepts('/claims/0/direction', 'producer', 'consumer', 'both')
    refuses('SPEC-Y-03', 'NOT_IN_ENUM', '/claims/0/direction', 'importer', 'Both', '')
  })
  test('claims that cannot be true are warned about', () => {
    const codes = (claims: JsonObject[]) =>
      validateConformanceReport({ ...report, claims }).map(({ severity, code }) => [severity, code])
    const suite = { corpus: 'c', passed: 18, total: 18 }
    const claim = (direction: string) => ({ level: 'Core', direction, test_suite: suite })
    assert.deepEqual(codes([claim('producer'), claim('consumer')]), [])
    assert.deepEqual(codes([claim('producer'), claim('both')]), [['warning', 'CLAIM_REPEATED']])
    assert.deepEqual(codes([{ ...claim('both'), test_suite: { ...suite, passed: 21 } }]), [
      ['warning', 'CLAIM_IMPOSSIBLE'],
    ])
  })
  test('parsing a report returns its data or throws', () => {
    assert.deepEqual(parseConformanceReport(JSON.stringify(report)), report)
    assert.throws(() => parseConformanceReport('{}'), { code: 'REQUIRED_MISSING' })
  })
})
