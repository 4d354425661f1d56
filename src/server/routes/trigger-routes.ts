import type { Finding } from '../../document/finding.ts'
import { fromPointer } from '../../document/json-pointer.ts'
import { OPERATORS, param, READERS, type Route } from '../../http/route.ts'
import { id, PAGE, pageOf, removed } from '../../http/schema.ts'
import type { Tenant } from '../../platform/platform.ts'
import type {
  NewTrigger,
  TriggerChange,
  TriggerMessage,
  TriggerWithSecret,
} from '../../platform/triggers/trigger.ts'
import {
  changedTrigger,
  firedTrigger,
  firingView,
  isSetting,
  newTrigger,
  renewedSecret,
  triggerMessage,
  triggerView,
  triggerWithSecret,
} from '../schemas/trigger-schemas.ts'

/** What starts runs without a request to start one. */
export const TRIGGER_ROUTES: readonly Route<Tenant>[] = [
  {
    method: 'GET',
    path: '/v1/triggers',
    name: 'listTriggers',
    summary: 'Lists the triggers of the organisation, with the last firing of each.',
    tag: 'triggers',
    access: READERS,
    query: { ...PAGE, agent_id: id('Only triggers of this agent.') },
    answers: { 200: { description: 'A page of triggers.', schema: pageOf(triggerView) } },
    handle: async ({ tenant, query }) => ({ status: 200, json: await tenant.triggers.list(query) }),
  },
  {
    method: 'POST',
    path: '/v1/triggers',
    name: 'createTrigger',
    summary:
      'Creates a trigger. The secret of a webhook is shown once; a repeated request does not show it again.',
    tag: 'triggers',
    access: OPERATORS,
    body: { kind: 'json', schema: newTrigger, refusedAs },
    failures: [404, 409],
    answers: { 201: { description: 'The trigger.', schema: triggerWithSecret } },
    async handle({ tenant, body, resourceId }) {
      const created = await tenant.triggers.create(body as unknown as NewTrigger, resourceId)
      return { status: 201, json: created, kept: withoutSecret(created) }
    },
  },
  {
    method: 'GET',
    path: '/v1/triggers/{trigger}',
    name: 'readTrigger',
    summary: 'Returns a trigger, and its last firing.',
    tag: 'triggers',
    access: READERS,
    answers: { 200: { description: 'The trigger.', schema: triggerView } },
    handle: async (call) => ({ status: 200, json: await call.tenant.triggers.read(param(call, 'trigger')) }),
  },
  {
    method: 'PUT',
    path: '/v1/triggers/{trigger}',
    name: 'changeTrigger',
    summary:
      'Replaces the settings of a trigger; enables or disables it. Who enables it answers for its runs.',
    tag: 'triggers',
    access: OPERATORS,
    body: { kind: 'json', schema: changedTrigger },
    failures: [409],
    answers: { 200: { description: 'The trigger.', schema: triggerView } },
    async handle(call) {
      const change = call.body as unknown as TriggerChange
      return { status: 200, json: await call.tenant.triggers.change(param(call, 'trigger'), change) }
    },
  },
  {
    method: 'DELETE',
    path: '/v1/triggers/{trigger}',
    name: 'removeTrigger',
    summary: 'Removes a trigger and the list of its firings. Its runs stay.',
    tag: 'triggers',
    access: OPERATORS,
    failures: [409],
    answers: { 200: { description: 'How many were removed.', schema: removed } },
    async handle(call) {
      await call.tenant.triggers.remove(param(call, 'trigger'))
      return { status: 200, json: { removed: 1 } }
    },
  },
  {
    method: 'GET',
    path: '/v1/triggers/{trigger}/firings',
    name: 'listFirings',
    summary: 'Lists what has fired, and what became of it, newest first. Kept for 30 days.',
    tag: 'triggers',
    access: READERS,
    query: PAGE,
    answers: { 200: { description: 'A page of firings.', schema: pageOf(firingView) } },
    handle: async (call) => ({
      status: 200,
      json: await call.tenant.triggers.firings(param(call, 'trigger'), call.query),
    }),
  },
  {
    method: 'POST',
    path: '/v1/triggers/{trigger}/fire',
    name: 'fireTrigger',
    summary: 'Fires a trigger now, on behalf of the caller.',
    tag: 'triggers',
    access: OPERATORS,
    body: { kind: 'json', schema: firedTrigger, optional: true },
    failures: [409],
    answers: { 202: { description: 'What became of it.', schema: firingView } },
    async handle(call) {
      const { payload } = call.body as unknown as { readonly payload?: TriggerMessage['data'] }
      const fired = await call.tenant.triggers.fire(param(call, 'trigger'), payload, call.resourceId)
      return { status: 202, json: fired }
    },
  },
  {
    method: 'POST',
    path: '/v1/triggers/{trigger}/secret',
    name: 'renewTriggerSecret',
    summary: 'Makes a new secret for a webhook, shown once.',
    tag: 'triggers',
    access: OPERATORS,
    body: { kind: 'json', schema: renewedSecret, optional: true },
    answers: { 200: { description: 'The trigger, with its secret.', schema: triggerWithSecret } },
    async handle(call) {
      const { old_valid_seconds: seconds = 0 } = call.body as unknown as {
        readonly old_valid_seconds?: number
      }
      const renewed = await call.tenant.triggers.renewSecret(param(call, 'trigger'), seconds)
      return { status: 200, json: renewed, kept: withoutSecret(renewed) }
    },
  },
  {
    method: 'POST',
    path: '/v1/triggers/{trigger}/messages',
    name: 'sendTriggerMessage',
    summary: 'Gives a message to the session of its sender, which begins with the first one.',
    tag: 'triggers',
    access: OPERATORS,
    body: { kind: 'json', schema: triggerMessage },
    failures: [409],
    answers: { 202: { description: 'What became of it.', schema: firingView } },
    async handle(call) {
      const { id: own, ...message } = call.body as unknown as TriggerMessage
      const messageId = own ?? call.resourceId
      const taken = await call.tenant.triggers.message(param(call, 'trigger'), {
        ...message,
        ...(messageId !== undefined && { id: messageId }),
      })
      return { status: 202, json: taken }
    },
  },
]

/** Settings that are not those of the kind have the code of other wrong settings. */
function refusedAs({ code, pointer }: Finding): 'TRIGGER_INVALID' | undefined {
  const [setting = ''] = fromPointer(pointer)
  const isOfKind = code === 'UNKNOWN_MEMBER' || code === 'REQUIRED_MISSING' || setting === 'event'
  return isSetting(setting) && (isOfKind || setting === 'filter') ? 'TRIGGER_INVALID' : undefined
}

function withoutSecret({ secret: _secret, ...kept }: TriggerWithSecret) {
  return kept
}
