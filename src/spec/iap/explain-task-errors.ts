import type { ErrorObject } from 'ajv'
import type { Finding } from '../../document/finding.ts'
import type { Json } from '../../document/json.ts'
import { type Explanations, explainSchemaErrors } from '../explain-schema-errors.ts'
import { resultSchema } from './result.schema.ts'
import { ruleOfResult, ruleOfTask } from './rule-of-place.ts'
import { taskSchema } from './task.schema.ts'

/** Explains the schema errors of a task or a result. Loaded only when there are errors. */
export function explainTaskErrors(errors: readonly ErrorObject[], task: Json): Finding[] {
  return explainSchemaErrors(errors, task, explanations(taskSchema, ruleOfTask))
}

export function explainResultErrors(errors: readonly ErrorObject[], result: Json): Finding[] {
  return explainSchemaErrors(errors, result, explanations(resultSchema, ruleOfResult))
}

function explanations(schema: Explanations['schema'], ruleOf: (pointer: string) => string): Explanations {
  // Unknown members are not refused, so ruleOfUnknown is never called.
  return { schema, ruleOfMissing: ruleOf, ruleOfValue: ruleOf, ruleOfUnknown: ruleOf, hintFor }
}

function hintFor({ code, pointer }: Finding, value: Json | undefined): string | undefined {
  if (code === 'WRONG_TYPE' && pointer === '/iap_version' && typeof value === 'number') {
    return `write it in quotes: "${value}"`
  }
  if (code === 'WRONG_TYPE' && pointer === '/constraints/time_limit' && typeof value === 'number') {
    return `write the number with its unit, such as "${value}s" or "${value}m"`
  }
  if (code === 'WRONG_TYPE' && pointer === '/task' && typeof value === 'string') {
    return 'write "task": {"intent": …}'
  }
  if (code === 'REQUIRED_MISSING' && pointer === '/delivery/webhook') {
    return 'add "webhook": the URL that receives the result'
  }
  return undefined
}
