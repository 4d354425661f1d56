import { APPROVERS, OPERATORS, READERS, routesOf } from '../../http/route.ts'
import { PAGE, pageOf, removed } from '../../http/schema.ts'
import { createdRule, ruleView } from '../inbox/decision.ts'
import { newRule, previewedRule, type Rules, rulePreview } from './rule.ts'

const route = routesOf<{ readonly rules: Rules }>()

/** Standing rules for calls, and other standing grants. */
export const RULE_ROUTES = [
  route({
    method: 'GET',
    path: '/v1/rules',
    name: 'listRules',
    summary: 'Lists the standing grants, oldest first.',
    tag: 'rules',
    access: READERS,
    query: PAGE,
    answers: { 200: { description: 'A page of grants.', schema: pageOf(ruleView) } },
    handle: async ({ tenant, query }) => ({ status: 200, json: await tenant.rules.list(query) }),
  }),
  route({
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
      json: await tenant.rules.create(body, resourceId),
    }),
  }),
  route({
    method: 'POST',
    path: '/v1/rules/preview',
    name: 'previewRule',
    summary: 'Shows which open questions a rule would answer, and which decided calls it would have matched.',
    tag: 'rules',
    access: APPROVERS,
    body: { kind: 'json', schema: previewedRule },
    answers: { 200: { description: 'The effect.', schema: rulePreview } },
    handle: async ({ tenant, body }) => ({ status: 200, json: await tenant.rules.preview(body) }),
  }),
  route({
    method: 'DELETE',
    path: '/v1/rules/{rule}',
    name: 'revokeRule',
    summary: 'Revokes a standing grant, with immediate effect.',
    tag: 'rules',
    access: [...OPERATORS, ...APPROVERS],
    answers: { 200: { description: 'The number of grants that were revoked.', schema: removed } },
    async handle({ tenant, params }) {
      await tenant.rules.revoke(params.rule)
      return { status: 200, json: { removed: 1 } }
    },
  }),
]
