import type { ErrorObject } from 'ajv'
import { Document } from '../../document/document.ts'
import type { Finding } from '../../document/finding.ts'
import type { Issue } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { placeFindings } from '../place-findings.ts'
import { checkSecrets } from './rules/secrets.ts'
import { SC_STANDARD } from './vocabulary.ts'

/** The parts that differ between the kinds of AAIF documents. `T` is the type that the schema proves. */
export interface DocumentKind<T> {
  /** With its article: "an Agent State". */
  readonly name: string
  /** The rule for a root that is not an object. */
  readonly rule: string
  readonly validate: { (value: unknown): boolean; errors?: ErrorObject[] | null }
  /** Explains schema errors; loads its modules only then. */
  readonly explain: (errors: readonly ErrorObject[], value: Json) => Finding[]
  /** The rules that a schema cannot express. */
  readonly rules: readonly ((document: T) => Iterable<Finding>)[]
  /** Pointers that may contain a token; they are not searched for secrets. */
  readonly tokens?: RegExp
}

/**
 * Returns all issues of a document of one kind. A document that is not AAIF gives only that issue; otherwise the schema
 * is checked, and if it finds no error, the rules. Secrets are searched for in any case (§12).
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

/** Adds lines and columns to the findings, and puts them after the issues from reading the document. */
export function issuesOf(input: Document | Json, judge: (value: Json) => Finding[]): Issue[] {
  const document = input instanceof Document ? input : undefined
  const issues = placeFindings(judge(input instanceof Document ? input.value : input), document)
  return document === undefined || document.warnings.length === 0 ? issues : [...document.warnings, ...issues]
}

/** Returns an issue if a document is not AAIF; checked before all other rules (AAIF-4.1-01). */
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
    hint: `write "sc_standard": "${SC_STANDARD}" if this document is AAIF`,
    rule: 'AAIF-4.1-01',
  }
}

/** Two rules may give the same finding at the same pointer. */
export function unique(findings: Finding[]): Finding[] {
  if (findings.length < 2) return findings
  const seen = new Set<string>()
  return findings.filter(({ code, pointer, message }) => {
    const key = code === 'SECRET_INLINE' ? `${code} ${pointer}` : `${code} ${pointer} ${message}`
    return !seen.has(key) && seen.add(key) !== undefined
  })
}
