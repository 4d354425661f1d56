import { createRequire } from 'node:module'
import { Document } from '../../document/document.ts'
import type { Finding } from '../../document/finding.ts'
import type { Issue } from '../../document/issue.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { lazyModule } from '../../document/lazy-module.ts'
import type { JudgeOptions } from '../kinds.ts'
import { findLikelyTypos } from '../likely-typos.ts'
import { placeFindings } from '../place-findings.ts'
import { artifactEnvelopeSchema } from './artifact-envelope.schema.ts'
import type * as Explain from './explain-envelope-errors.ts'
import { validate } from './generated/artifact-envelope.validate.js'
import { checkContent } from './rules/content.ts'
import type { Rule } from './rules/rule.ts'
import { checkSecrets } from './rules/secrets.ts'
import { checkSections } from './rules/sections.ts'
import { checkSurroundings } from './rules/surroundings.ts'
import { checkTaskReferences } from './rules/task-references.ts'
import { checkTimestamps } from './rules/timestamps.ts'
import { checkMediaType, checkTypes } from './rules/types.ts'
import { AAH_VERSIONS } from './vocabulary.ts'

const require = createRequire(import.meta.url)
const loadExplain = lazyModule<typeof Explain>(() => require('./explain-envelope-errors.ts'))

const RULES: readonly Rule[] = [
  checkTimestamps,
  checkTypes,
  checkMediaType,
  checkContent,
  checkSections,
  checkTaskReferences,
  checkSurroundings,
  checkSecrets,
]

/**
 * Validates an artifact envelope (AAH 0.3) of any shape and returns all issues in reading order. A value that is not an
 * envelope, or has an unsupported version, gives only that issue. If no issue is an error, the value is an
 * `ArtifactEnvelope`.
 */
export function validateArtifactEnvelope(input: Document | Json, options: JudgeOptions = {}): Issue[] {
  const document = input instanceof Document ? input : undefined
  const value = input instanceof Document ? input.value : input
  return [...(document?.warnings ?? []), ...placeFindings(judge(value, options), document)]
}

function judge(value: Json, options: JudgeOptions): Finding[] {
  if (!isObject(value)) return [notAnEnvelope]
  const foreign = isBareArtifact(value) ? notAnEnvelope : unknownVersion(value)
  if (foreign !== undefined) return [foreign]
  const refused = validate(value) ? [] : explain(value)
  return [
    ...refused,
    ...RULES.flatMap((rule) => [...rule(value, options)]),
    ...findLikelyTypos(artifactEnvelopeSchema, value, 'AAH-1-03'),
  ]
}

/** Returns an issue if the value is an artifact without its envelope (§1). */
function isBareArtifact(value: JsonObject): boolean {
  return !['aah_version', 'artifact', 'source'].some((member) => Object.hasOwn(value, member))
}

const notAnEnvelope: Finding = {
  severity: 'error',
  code: 'NOT_AN_ENVELOPE',
  pointer: '',
  message: 'this is not an artifact envelope',
  hint: 'write {"aah_version": "0.2", "artifact": {…}, "source": {…}, "content": {…}}',
  rule: 'AAH-1-01',
}

/** Other versions may have other rules, so no other rule is applied (§2.1). */
function unknownVersion({ aah_version: version }: JsonObject): Finding | undefined {
  if (typeof version !== 'string') return undefined
  const [, known] = /^(\d+\.\d+)(?:\.\d+)?$/.exec(version) ?? []
  if ((AAH_VERSIONS as readonly (string | undefined)[]).includes(known)) return undefined
  return {
    severity: 'error',
    code: 'AAH_VERSION_UNSUPPORTED',
    pointer: '/aah_version',
    message: 'this version of AAH is not supported',
    hint: `supported versions: ${AAH_VERSIONS.join(', ')}, and their patches such as 0.3.0`,
    rule: 'AAH-2.1-02',
  }
}

function explain(value: Json): Finding[] {
  const { explainEnvelopeErrors } = loadExplain()
  return explainEnvelopeErrors(validate.errors ?? [], value)
}
