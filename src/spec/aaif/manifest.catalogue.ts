import type { JsonObject } from '../../document/json.ts'
import type { RuleEntry } from '../rule-entry.ts'
import { entriesOf, LOOKS_LIKE_A_KEY } from './catalogue/entry.ts'

const platform = { name: 'Post office', version: '2.0', aaif_conformance_level: 'Core' }
const least: JsonObject = { sc_standard: 'SC-006', sc_version: '3.4.0', platform }
const rule = entriesOf('aaif.manifest', least)
const having = (members: JsonObject): JsonObject => ({ ...least, platform: { ...platform, ...members } })
const able = (capabilities: JsonObject): JsonObject => having({ capabilities })

/** All rules for Platform Manifests. */
export const platformManifestRules: readonly RuleEntry[] = [
  rule('AAIF-4.1-01', '4.1', {
    codes: ['NOT_AAIF'],
    sentence: 'sc_standard is exactly "SC-006"; a document with another value is not AAIF.',
    wrong: { ...least, sc_standard: 6 },
  }),
  rule('SPEC-U-01', '7', {
    codes: ['REQUIRED_MISSING', 'NOT_AAIF', 'WRONG_TYPE', 'TOO_SHORT', 'PATTERN_MISMATCH'],
    enforced: 'schema',
    sentence: 'A manifest has sc_standard, sc_version and a platform with name, version and level.',
    wrong: { sc_standard: 'SC-006', platform },
  }),
  rule('AAIF-6-01', '6', {
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'The seven levels are spelled exactly as in §6.',
    right: having({ aaif_conformance_level: 'Multi-agent' }),
    wrong: having({ aaif_conformance_level: 'Multiagent' }),
  }),
  rule('SPEC-U-04', '7', {
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE', 'OUT_OF_RANGE', 'UNKNOWN_MEMBER', 'INTAKE_URL_MISSING'],
    sentence: 'intake_endpoint is an object with url, method, auth_scheme, content_type and max_body_bytes.',
    right: having({ intake_endpoint: { url: 'https://post.example/agents', method: 'PUT' } }),
    wrong: having({ intake_endpoint: { url: 'https://post.example/agents', method: 'GET' } }),
  }),
  rule('SPEC-U-05', '7', {
    codes: ['TIME_ORDER'],
    severity: 'warning',
    sentence: 'manifest_expires_at is after manifest_issued_at.',
    right: having({
      manifest_issued_at: '2026-01-01T00:00:00Z',
      manifest_expires_at: '2026-02-01T00:00:00Z',
    }),
    wrong: having({
      manifest_issued_at: '2026-02-01T00:00:00Z',
      manifest_expires_at: '2026-01-01T00:00:00Z',
    }),
  }),
  rule('SPEC-U-06', '7', {
    codes: ['UNKNOWN_MEMBER', 'WRONG_TYPE', 'NOT_IN_ENUM', 'OUT_OF_RANGE'],
    enforced: 'schema',
    sentence: 'capabilities has eight areas, each with a fixed set of keys.',
    right: able({ tool: { mcp: true }, state: { checkpoint: true } }),
    wrong: able({ tool: { mpc: true } }),
  }),
  rule('SPEC-U-07', '7', {
    codes: ['TOO_FEW_ITEMS', 'PATTERN_MISMATCH', 'DUPLICATE_ITEMS', 'NOT_IN_ENUM', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence:
      'aaif_versions_supported is not empty and lists MAJOR.MINOR.PATCH versions; languages are unique; vaults have the names used in manifests.',
    right: able({ auth: { vault: { supported: true, providers: ['aws_secrets_manager'] } } }),
    wrong: able({ auth: { vault: { supported: true, providers: ['aws_secretsmanager'] } } }),
  }),
  rule('SPEC-D-25', '7', {
    codes: ['FORMAT_MISMATCH'],
    severity: 'warning',
    sentence: 'Addresses are absolute URLs and times are RFC 3339; other values give a warning.',
    wrong: having({ manifest_url: '/manifest.json' }),
  }),
  rule('SPEC-W-01', '10', {
    codes: ['UNKNOWN_MEMBER'],
    enforced: 'schema',
    sentence: 'Objects that the format defines have no other members.',
    wrong: having({ level: 'Core' }),
  }),
  rule('SPEC-W-06', '10', {
    codes: ['UNKNOWN_MEMBER'],
    enforced: 'schema',
    sentence: 'x- members are allowed only at the root.',
    right: { ...least, 'x-acme-desk': 7 },
    wrong: having({ 'x-acme-desk': 7 }),
  }),
  rule('SPEC-W-07', '10', {
    codes: ['EXTENSION_SHADOWS_STANDARD'],
    severity: 'warning',
    sentence: 'An extension does not replace a member of the format.',
    right: { ...least, 'x-acme-vendor': 'Acme' },
    wrong: { ...least, 'x-vendor': 'Acme' },
  }),
  rule('AAIF-4.4-10', '4.4, §12', {
    codes: ['SECRET_INLINE', 'SECRET_SUSPECTED'],
    sentence: 'No document contains a secret.',
    wrong: having({ vendor: `Acme ${LOOKS_LIKE_A_KEY}` }),
  }),
]
