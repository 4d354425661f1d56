import type { Registry } from '../generated/registry.ts'

/** `lang` of a Condition (§5). */
export const conditionLanguagesRegistry: Registry = {
  registry: 'aaif-condition-languages',
  sc_standard: 'SC-006',
  description: 'Languages in which a Condition can be written.',
  registration_policy: 'Specification Required',
  entries: [
    language('jsonpath', 'string', 'https://www.rfc-editor.org/rfc/rfc9535', 'Holds when a node is found.'),
    language('jmespath', 'string', 'https://jmespath.org/specification.html', 'Holds when truthy.'),
    language('cel', 'string', 'https://github.com/google/cel-spec', 'Holds when true.'),
    language('jsonlogic', 'object', 'https://jsonlogic.com', 'Holds when the rule gives a truthy value.'),
    language('always', 'none', null, 'Always holds.'),
    language('never', 'none', null, 'Never holds.'),
  ],
}

function language(id: string, expr_type: 'string' | 'object' | 'none', spec: string | null, meaning: string) {
  return { id, status: 'standard', since: '3.2.0', expr_type, spec, meaning } as const
}
