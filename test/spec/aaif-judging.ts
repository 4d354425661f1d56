import assert from 'node:assert/strict'
import type { Issue } from '../../src/document/issue.ts'
import type { Json } from '../../src/document/json.ts'
import type { JudgeOptions, Kind } from '../../src/spec/kinds.ts'
import { validatorOf } from '../../src/spec/validator-of.ts'
import { copyOf } from './aaif/samples.ts'

/** Returns a copy of a document with one value set, or removed if it is undefined. */
export function having(document: Json, pointer: string, value: Json | undefined): Json {
  const copy = copyOf(document)
  const steps = pointer.slice(1).split('/')
  const last = steps.pop() as string
  let target = copy
  for (const step of steps) target = target[step]
  if (value === undefined) delete target[last]
  else target[last] = value
  return copy
}

/** The errors of a document, after a look that each has a hint and its rule. */
export function errorsOf(kind: Kind, document: Json, options?: JudgeOptions): Issue[] {
  const issues = validatorOf(kind)(document, options)
  for (const issue of issues) assert.ok(issue.hint && issue.rule, `hint and rule: ${JSON.stringify(issue)}`)
  return issues.filter(({ severity }) => severity === 'error')
}

export type Outcome = readonly [code: string, pointer: string, rule: string]

/** Assertions about the errors of documents that differ from `base` in one place. */
export function judging(kind: Kind, base: Json) {
  const outcomes = (document: Json): Outcome[] =>
    errorsOf(kind, document).map(({ code, pointer, rule = '' }) => [code, pointer, rule])
  return {
    accepts(pointer: string, ...values: (Json | undefined)[]): void {
      for (const value of values) {
        assert.deepEqual(outcomes(having(base, pointer, value)), [], `${pointer} = ${JSON.stringify(value)}`)
      }
    },
    refuses(rule: string, code: string, pointer: string, ...values: Json[]): void {
      for (const value of values) {
        const found = outcomes(having(base, pointer, value))
        assert.deepEqual(found, [[code, pointer, rule]], `${pointer} = ${JSON.stringify(value)}`)
      }
    },
    requires(rule: string, ...pointers: string[]): void {
      for (const pointer of pointers) {
        assert.deepEqual(outcomes(having(base, pointer, undefined)), [['REQUIRED_MISSING', pointer, rule]])
      }
    },
    closed(rule: string, ...parents: string[]): void {
      for (const parent of parents) {
        const found = outcomes(having(base, `${parent}/typo`, true))
        assert.deepEqual(found, [['UNKNOWN_MEMBER', `${parent}/typo`, rule]])
      }
    },
  }
}

/** A document of the corpus. */
export async function fromCorpus(path: string): Promise<Json> {
  const { default: value } = await import(`../conformance/${path}`, { with: { type: 'json' } })
  return value as Json
}
