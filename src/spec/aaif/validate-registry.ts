import { createRequire } from 'node:module'
import type { Document } from '../../document/document.ts'
import type { Issue } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { lazyModule } from '../../document/lazy-module.ts'
import type * as Explain from './explain-registry-errors.ts'
import type { Registry } from './generated/registry.ts'
import { validate } from './generated/registry.validate.js'
import { type DocumentKind, judgeDocument } from './judge-document.ts'
import { checkEntryIds, checkPolicy, checkProvisionalEntries } from './rules/registry-rules.ts'

const require = createRequire(import.meta.url)
const loadExplain = lazyModule<typeof Explain>(() => require('./explain-registry-errors.ts'))

const REGISTRY: DocumentKind<Registry> = {
  name: 'a registry',
  rule: 'AAIF-10-02',
  validate,
  explain: (errors, value) => loadExplain().explainRegistryErrors(errors, value),
  rules: [checkEntryIds, checkPolicy, checkProvisionalEntries],
}

/**
 * Validates a registry (AAIF §10) and returns all issues in reading order. If no issue is an error, the value is a
 * `Registry`.
 */
export function validateRegistry(input: Document | Json): Issue[] {
  return judgeDocument(input, REGISTRY)
}
