import { closed, integer, list, oneOf, ref, type Schema, text } from '../schema-builder.ts'
import { CONFORMANCE_LEVELS, DIRECTIONS, SC_STANDARD } from './vocabulary.ts'

/**
 * The conformance report of AAIF 3.4.0 (§6): the one source of the published schema, the validator and the types
 * (`npm run generate`). Unlike the other documents it has no sc_version.
 */

const texts = (description: string): Schema => list({ type: 'string' }, description)
const time = (description: string): Schema => text(description, { format: 'date-time' })
const address = (description: string): Schema => text(description, { format: 'uri' })

const report = closed('About the report itself.', ['generated_at', 'aaif_versions'], {
  generated_at: time('When it was made, in UTC.'),
  expires_at: time('When to fetch it again.'),
  aaif_versions: list(
    { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    'Versions of the format that were tested.',
    { minItems: 1 },
  ),
  report_url: address('Where it is published.'),
})

const platform = closed('Whose conformance it is.', ['name'], {
  name: text('Name shown to people.'),
  version: text('Version of its software.'),
  vendor: text('Who offers it.'),
  manifest_url: address('Where its Platform Manifest is.'),
  homepage: address('Where to read about it.'),
})

const testSuite = closed('The run of tests that the claim rests on.', ['corpus', 'passed', 'total'], {
  corpus: text('Which tests: name and version or commit.'),
  passed: integer(0, 'How many passed.'),
  total: integer(0, 'How many there were.'),
  ran_at: time('When they ran.'),
  log_url: address('Where the log is.'),
})

const roundtrip = closed('A framework it converts to and back.', ['framework', 'lossless_fields'], {
  framework: text('Which framework.'),
  lossless_fields: texts('Paths that come back as they were.'),
  lossy_fields: texts('Paths that do not.'),
})

const claim = closed('One level, met in one direction.', ['level', 'direction', 'test_suite'], {
  level: oneOf(CONFORMANCE_LEVELS, 'The level that is met (§6).'),
  direction: oneOf(DIRECTIONS, 'As one that writes documents, that runs them, or both (§6).'),
  test_suite: ref('TestSuite'),
  roundtrip: list(ref('Roundtrip'), 'Conversions that were proved.'),
})

const supported = closed('Registered values it implements (§10).', [], {
  providers: texts('Of the registry of providers.'),
  capabilities: texts('Of the registry of capabilities.'),
  condition_languages: texts('Of the registry of condition languages.'),
  vault_providers: texts('Of the registry of vaults.'),
  memory_backends: texts('Of the registry of memory backends.'),
  tool_protocols: texts('Of the registry of tool protocols.'),
})

const attestation = closed('Who stands for the claims.', [], {
  attested_by: text('Person or team.'),
  contact: text('Where to ask.'),
  signature: text('Base64 Ed25519 signature over the canonical JSON without this member.'),
})

export const conformanceReportSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:waybill:schema:aaif:conformance-report:3.4.0',
  title: 'ConformanceReport',
  ...closed(
    'What a platform claims to conform to, and the tests behind it (AAIF 3.4.0 §6).',
    ['sc_standard', 'report', 'platform', 'claims'],
    {
      _comment: text('A note to people; ignored.'),
      sc_standard: { const: SC_STANDARD, description: 'Says that this is AAIF (§4.1).' },
      report: ref('ReportInfo'),
      platform: ref('ReportPlatform'),
      claims: list(ref('Claim'), 'One claim for each level and direction.', { minItems: 1 }),
      supported: ref('SupportedValues'),
      attestation: ref('Attestation'),
    },
    { patternProperties: { '^x-': { description: 'Extension of a vendor; never alters behaviour (§10).' } } },
  ),
  $defs: {
    ReportInfo: report,
    ReportPlatform: platform,
    Claim: claim,
    TestSuite: testSuite,
    Roundtrip: roundtrip,
    SupportedValues: supported,
    Attestation: attestation,
  },
} satisfies Schema
