import { createRequire } from 'node:module'
import type { Document } from '../../document/document.ts'
import type { Issue } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { lazyModule } from '../../document/lazy-module.ts'
import type * as Explain from './explain-state-errors.ts'
import type { AgentState } from './generated/state.ts'
import { validate } from './generated/state.validate.js'
import { type DocumentKind, judgeDocument } from './judge-document.ts'
import {
  checkApprovalRequest,
  checkError,
  checkStateExtensions,
  checkStateFormats,
  checkStateVersion,
  checkUtc,
} from './rules/state-rules.ts'

const require = createRequire(import.meta.url)
const loadExplain = lazyModule<typeof Explain>(() => require('./explain-state-errors.ts'))

const AGENT_STATE: DocumentKind<AgentState> = {
  name: 'an Agent State',
  rule: 'SPEC-Q-01',
  validate,
  explain: (errors, value) => loadExplain().explainStateErrors(errors, value),
  rules: [
    checkStateVersion,
    checkStateFormats,
    checkUtc,
    checkApprovalRequest,
    checkError,
    checkStateExtensions,
  ],
  // The idempotency keys of calls are ids of the runtime.
  tokens:
    /^\/provenance\/migration_token$|^\/x-waybill(?:\/documents\/\d+\/x-waybill)*\/run\/(?:calls|sent|unsettled)\/\d+\/key$|^\/x-waybill\/receipts\/\d+\/key$/,
}

/**
 * Validates an Agent State (AAIF §8.1) and returns all issues in reading order. Does not verify its checksum and
 * migration_token, which are verified on restore (§8.2). If no issue is an error, the value is an `AgentState`.
 */
export function validateAgentState(input: Document | Json): Issue[] {
  return judgeDocument(input, AGENT_STATE)
}
