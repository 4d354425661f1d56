import type { ErrorObject } from 'ajv'
import { Document } from '../../document/document.ts'
import type { Finding } from '../../document/finding.ts'
import type { Issue } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { placeFindings } from '../place-findings.ts'
import { checkSecrets } from './rules/secrets.ts'
import { SC_STANDARD } from './vocabulary.ts'

/** What one kind of AAIF document has of its own. `T` is what its schema proves. */
export interface DocumentKind<T> {
  /** With its article: "an Agent State". */
  readonly name: string
  /** The rule that a root which is no object breaks. */
  readonly rule: string
  readonly validate: { (value: unknown): boolean; errors?: ErrorObject[] | null }
  /** Explains the schema stage; loads what it needs only then. */
  readonly explain: (errors: readonly ErrorObject[], value: Json) => Finding[]
  /** The rules that a schema cannot say. */
  readonly rules: readonly ((document: T) => Iterable<Finding>)[]
  /** Places that hold a token by design, where no secret is looked for. */
  readonly tokens?: RegExp
}

/**
 * Everything there is to say about a document of one kind. What is no AAIF at all gives that one issue; else the schema
 * stage, and when it is clean the rules. Secrets are looked for in any case (§12).
 */
export function judgeDocument<T>(input: Document | Json, kind: DocumentKind<T>): Issue[] {
  return issuesOf(input, (value) => {
    const foreign = notAaif(value, kind)
    if (foreign !== undefined) return [foreign]
    const secrets = checkSecrets(value, kind.tokens)
    if (!kind.validate(value)) return unique([...kind.explain(kind.validate.errors ?? [], value), ...secrets])
    return unique([...findingsOf(kind.rules, value as T), ...secrets])
  })
}

/** What each of some rules finds, in their order. */
export function findingsOf<Arguments extends readonly unknown[]>(
  rules: readonly ((...about: Arguments) => Iterable<Finding>)[],
  ...about: Arguments
): Finding[] {
  const findings: Finding[] = []
  for (const rule of rules) for (const finding of rule(...about)) findings.push(finding)
  return findings
}

/** Places what a judge found, after what reading the document found. */
export function issuesOf(input: Document | Json, judge: (value: Json) => Finding[]): Issue[] {
  const document = input instanceof Document ? input : undefined
  const issues = placeFindings(judge(input instanceof Document ? input.value : input), document)
  return document === undefined || document.warnings.length === 0 ? issues : [...document.warnings, ...issues]
}

/** Whether a document is AAIF is decided before anything else is judged (AAIF-4.1-01). */
export function notAaif(value: Json, { name, rule }: { name: string; rule: string }): Finding | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return {
      severity: 'error',
      code: 'NOT_AAIF',
      pointer: '',
      message: `${name} is a JSON object`,
      hint: `begin with {"sc_standard": "${SC_STANDARD}", …}`,
      rule,
    }
  }
  if (!Object.hasOwn(value, 'sc_standard')) return undefined
  if ((value as { sc_standard?: Json }).sc_standard === SC_STANDARD) return undefined
  return {
    severity: 'error',
    code: 'NOT_AAIF',
    pointer: '/sc_standard',
    message: `this is not AAIF: sc_standard must be exactly "${SC_STANDARD}"`,
    hint: `write "sc_standard": "${SC_STANDARD}" if it is meant to be AAIF`,
    rule: 'AAIF-4.1-01',
  }
}

/** Two rules may find the same thing at the same place. */
export function unique(findings: Finding[]): Finding[] {
  if (findings.length < 2) return findings
  const seen = new Set<string>()
  return findings.filter(({ code, pointer, message }) => {
    const key = code === 'SECRET_INLINE' ? `${code} ${pointer}` : `${code} ${pointer} ${message}`
    return !seen.has(key) && seen.add(key) !== undefined
  })
}
