import type { ErrorObject } from 'ajv'
import type { Finding } from '../../document/finding.ts'
import type { Json } from '../../document/json.ts'
import { explainSchemaErrors } from '../explain-schema-errors.ts'
import { registrySchema } from './registry.schema.ts'

/** Explains the schema errors of a registry. Loaded only when there are errors. */
export function explainRegistryErrors(errors: readonly ErrorObject[], registry: Json): Finding[] {
  const ruleOf = (pointer: string) => (/^\/entries\/\d/.test(pointer) ? 'SPEC-X-02' : 'AAIF-10-02')
  return explainSchemaErrors(errors, registry, {
    schema: registrySchema,
    ruleOfMissing: ruleOf,
    ruleOfValue: ruleOf,
    ruleOfUnknown: ruleOf,
    hintFor: ({ code, pointer }) =>
      code === 'PATTERN_MISMATCH' && pointer === '/registry'
        ? 'write a name in lower case that begins with "aaif-"'
        : undefined,
  })
}
