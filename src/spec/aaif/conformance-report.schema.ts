import { closed, integer, list, oneOf, ref, type Schema, text } from '../schema-builder.ts'
import { CONFORMANCE_LEVELS, DIRECTIONS, SC_STANDARD } from './vocabulary.ts'

/**
 * The conformance report of AAIF 3.4.0 (§6): the one source of the published schema, the validator and the types
 * (`npm run generate`). Unlike the other documents it has no sc_version.
 */

const texts = (description: string): Schema => list({ type: 'string' }, description)
const time = (description: string): Schema => text(description, { format: 'date-time' })
const address = (description: string): Schema => text(description, { format: 'uri' })

const report = closed('Metadata of the report.', ['generated_at', 'aaif_versions'], {
  generated_at: time('When it was made, in UTC.'),
  expires_at: time('When to fetch it again.'),
  aaif_versions: list(
    { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    'Versions of the format that were tested.',
    { minItems: 1 },
  ),
  report_url: address('Where it is published.'),
})

const platform = closed('The platform whose conformance is claimed.', ['name'], {
  name: text('Name shown to people.'),
  version: text('Version of its software.'),
  vendor: text('Its vendor.'),
  manifest_url: address('Where its Platform Manifest is.'),
  homepage: address('Its home page.'),
})

const testSuite = closed('The test run that proves the claim.', ['corpus', 'passed', 'total'], {
  corpus: text('Which tests: name and version or commit.'),
  passed: integer(0, 'Number of tests that passed.'),
  total: integer(0, 'Number of tests.'),
  ran_at: time('When they ran.'),
  log_url: address('Where the log is.'),
})

const roundtrip = closed('A framework it converts to and back.', ['framework', 'lossless_fields'], {
  framework: text('Which framework.'),
  lossless_fields: texts('Paths that are unchanged after a round trip.'),
  lossy_fields: texts('Paths that change.'),
})

const claim = closed('One level, met in one direction.', ['level', 'direction', 'test_suite'], {
  level: oneOf(CONFORMANCE_LEVELS, 'The level that is met (§6).'),
  direction: oneOf(DIRECTIONS, 'As a producer of documents, a consumer that runs them, or both (§6).'),
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

const attestation = closed('The person or team responsible for the claims.', [], {
  attested_by: text('Person or team.'),
  contact: text('Where to ask.'),
  signature: text('Base64 Ed25519 signature over the canonical JSON without this member.'),
})

export const conformanceReportSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:waybill:schema:aaif:conformance-report:3.4.0',
  title: 'ConformanceReport',
  ...closed(
    'The conformance claims of a platform and the tests that prove them (AAIF 3.4.0 §6).',
    ['sc_standard', 'report', 'platform', 'claims'],
    {
      _comment: text('A note to people; ignored.'),
      sc_standard: { const: SC_STANDARD, description: 'Identifies the document as AAIF (§4.1).' },
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
