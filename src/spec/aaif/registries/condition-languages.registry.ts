import type { Registry } from '../generated/registry.ts'

/** `lang` of a Condition (§5). */
export const conditionLanguagesRegistry: Registry = {
  registry: 'aaif-condition-languages',
  sc_standard: 'SC-006',
  description: 'Languages in which a Condition can be written.',
  registration_policy: 'Specification Required',
  entries: [
    language('jsonpath', 'string', 'https://www.rfc-editor.org/rfc/rfc9535', 'True if a node is found.'),
    language(
      'jmespath',
      'string',
      'https://jmespath.org/specification.html',
      'True if the result is truthy.',
    ),
    language('cel', 'string', 'https://github.com/google/cel-spec', 'True if the result is true.'),
    language('jsonlogic', 'object', 'https://jsonlogic.com', 'True if the rule returns a truthy value.'),
    language('always', 'none', null, 'Always true.'),
    language('never', 'none', null, 'Always false.'),
  ],
}

function language(id: string, expr_type: 'string' | 'object' | 'none', spec: string | null, meaning: string) {
  return { id, status: 'standard', since: '3.2.0', expr_type, spec, meaning } as const
}
