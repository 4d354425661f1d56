import { APPROVERS, OPERATORS, param, READERS, type Route } from '../../http/route.ts'
import { PAGE, pageOf, removed } from '../../http/schema.ts'
import { createdRule, ruleView } from '../../platform/inbox/decision.ts'
import type { Tenant } from '../../platform/platform.ts'
import type { NewRule, PreviewRule } from '../../platform/rules/rule.ts'
import { newRule, rulePreview, rulePreviewRequest } from '../schemas/rule-schemas.ts'

/** Standing rules for calls, and other standing grants. */
export const RULE_ROUTES: readonly Route<Tenant>[] = [
  {
    method: 'GET',
    path: '/v1/rules',
    name: 'listRules',
    summary: 'Lists the standing grants, oldest first.',
    tag: 'rules',
    access: READERS,
    query: PAGE,
    answers: { 200: { description: 'A page of grants.', schema: pageOf(ruleView) } },
    handle: async ({ tenant, query }) => ({ status: 200, json: await tenant.rules.list(query) }),
  },
  {
    method: 'POST',
    path: '/v1/rules',
    name: 'createRule',
    summary: 'Allows calls that match a rule without a question. Only people make rules.',
    tag: 'rules',
    access: APPROVERS,
    failures: [409],
    body: { kind: 'json', schema: newRule },
    answers: { 201: { description: 'The rule.', schema: createdRule } },
    handle: async ({ tenant, body, resourceId }) => ({
      status: 201,
      json: await tenant.rules.create(body as unknown as NewRule, resourceId),
    }),
  },
  {
    method: 'POST',
    path: '/v1/rules/preview',
    name: 'previewRule',
    summary: 'Shows which open questions a rule would answer, and which decided calls it would have matched.',
    tag: 'rules',
    access: APPROVERS,
    body: { kind: 'json', schema: rulePreviewRequest },
    answers: { 200: { description: 'The effect.', schema: rulePreview } },
    handle: async ({ tenant, body }) => ({
      status: 200,
      json: await tenant.rules.preview(body as unknown as PreviewRule),
    }),
  },
  {
    method: 'DELETE',
    path: '/v1/rules/{rule}',
    name: 'revokeRule',
    summary: 'Revokes a standing grant, with immediate effect.',
    tag: 'rules',
    access: [...OPERATORS, ...APPROVERS],
    answers: { 200: { description: 'The number of grants that were revoked.', schema: removed } },
    async handle(call) {
      await call.tenant.rules.revoke(param(call, 'rule'))
      return { status: 200, json: { removed: 1 } }
    },
  },
]
