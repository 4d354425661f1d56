import type { Finding } from '../../document/finding.ts'
import { fromPointer } from '../../document/json-pointer.ts'
import { counting, Limiter } from '../../http/limits.ts'
import { OPERATORS, READERS, type Route, routesOf } from '../../http/route.ts'
import { id, PAGE, pageOf, removed } from '../../http/schema.ts'
import {
  changedTrigger,
  firedTrigger,
  firingView,
  type Hooks,
  hookAnswer,
  isSetting,
  newTrigger,
  renewedSecret,
  type Triggers,
  type TriggerWithSecret,
  triggerMessage,
  triggerView,
  triggerWithSecret,
} from './trigger.ts'

const route = routesOf<{ readonly triggers: Triggers }>()

/** What starts runs without a request to start one. */
export const TRIGGER_ROUTES = [
  route({
    method: 'GET',
    path: '/v1/triggers',
    name: 'listTriggers',
    summary: 'Lists the triggers of the organisation, with the last firing of each.',
    tag: 'triggers',
    access: READERS,
    query: { ...PAGE, agent_id: id('Only triggers of this agent.') },
    answers: { 200: { description: 'A page of triggers.', schema: pageOf(triggerView) } },
    handle: async ({ tenant, query }) => ({ status: 200, json: await tenant.triggers.list(query) }),
  }),
  route({
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
      const created = await tenant.triggers.create(body, resourceId)
      return { status: 201, json: created, kept: withoutSecret(created) }
    },
  }),
  route({
    method: 'GET',
    path: '/v1/triggers/{trigger}',
    name: 'readTrigger',
    summary: 'Returns a trigger, and its last firing.',
    tag: 'triggers',
    access: READERS,
    answers: { 200: { description: 'The trigger.', schema: triggerView } },
    handle: async ({ tenant, params }) => ({ status: 200, json: await tenant.triggers.read(params.trigger) }),
  }),
  route({
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
    handle: async ({ tenant, params, body }) => ({
      status: 200,
      json: await tenant.triggers.change(params.trigger, body),
    }),
  }),
  route({
    method: 'DELETE',
    path: '/v1/triggers/{trigger}',
    name: 'removeTrigger',
    summary: 'Removes a trigger and the list of its firings. Its runs stay.',
    tag: 'triggers',
    access: OPERATORS,
    failures: [409],
    answers: { 200: { description: 'How many were removed.', schema: removed } },
    async handle({ tenant, params }) {
      await tenant.triggers.remove(params.trigger)
      return { status: 200, json: { removed: 1 } }
    },
  }),
  route({
    method: 'GET',
    path: '/v1/triggers/{trigger}/firings',
    name: 'listFirings',
    summary: 'Lists what has fired, and what became of it, newest first. Kept for 30 days.',
    tag: 'triggers',
    access: READERS,
    query: PAGE,
    answers: { 200: { description: 'A page of firings.', schema: pageOf(firingView) } },
    handle: async ({ tenant, params, query }) => ({
      status: 200,
      json: await tenant.triggers.firings(params.trigger, query),
    }),
  }),
  route({
    method: 'POST',
    path: '/v1/triggers/{trigger}/fire',
    name: 'fireTrigger',
    summary: 'Fires a trigger now, on behalf of the caller.',
    tag: 'triggers',
    access: OPERATORS,
    body: { kind: 'json', schema: firedTrigger, optional: true },
    failures: [409],
    answers: { 202: { description: 'What became of it.', schema: firingView } },
    handle: async ({ tenant, params, body, resourceId }) => ({
      status: 202,
      json: await tenant.triggers.fire(params.trigger, body.payload, resourceId),
    }),
  }),
  route({
    method: 'POST',
    path: '/v1/triggers/{trigger}/secret',
    name: 'renewTriggerSecret',
    summary: 'Makes a new secret for a webhook, shown once.',
    tag: 'triggers',
    access: OPERATORS,
    body: { kind: 'json', schema: renewedSecret, optional: true },
    answers: { 200: { description: 'The trigger, with its secret.', schema: triggerWithSecret } },
    async handle({ tenant, params, body }) {
      const renewed = await tenant.triggers.renewSecret(params.trigger, body.old_valid_seconds ?? 0)
      return { status: 200, json: renewed, kept: withoutSecret(renewed) }
    },
  }),
  route({
    method: 'POST',
    path: '/v1/triggers/{trigger}/messages',
    name: 'sendTriggerMessage',
    summary: 'Gives a message to the session of its sender, which begins with the first one.',
    tag: 'triggers',
    access: OPERATORS,
    body: { kind: 'json', schema: triggerMessage },
    failures: [409],
    answers: { 202: { description: 'What became of it.', schema: firingView } },
    async handle({ tenant, params, body, resourceId }) {
      const message = resourceId === undefined ? body : { id: resourceId, ...body }
      return { status: 202, json: await tenant.triggers.message(params.trigger, message) }
    },
  }),
]

/** Messages to one hook, in this process. */
const HOOK_LIMITS = { requestsPerSecond: 20, burst: 100, concurrentRequests: 20, concurrentStreams: 0 }

/** What senders without a token may post to. */
export function hookRoutes(hooks: Hooks): readonly Route[] {
  const limiter = new Limiter(HOOK_LIMITS, () => performance.now())
  const receiveHook = routesOf<unknown>()({
    method: 'POST',
    path: '/v1/hooks/{hook}',
    name: 'receiveHook',
    summary:
      'Takes a signed message for a trigger of kind `webhook`. A repeated message is answered with the same run.',
    tag: 'triggers',
    access: 'public',
    body: { kind: 'bytes' },
    failures: [400, 401, 413, 429],
    answers: {
      200: { description: 'The message was taken before.', schema: hookAnswer },
      202: { description: 'The message was taken.', schema: hookAnswer },
    },
    handle: ({ params: { hook }, headers, bytes }) =>
      // Before the hook is looked up: the answer does not depend on whether it exists.
      counting(limiter.request({ hook }), async () => {
        const { repeated, firing } = await hooks.receive({ hook, headers, bytes })
        const { run_id, state, why } = firing
        return { status: repeated ? 200 : 202, json: { run_id, state, why } }
      }),
  })
  return [receiveHook]
}

/** Settings that are not those of the kind have the code of other wrong settings. */
function refusedAs({ code, pointer }: Finding): 'TRIGGER_INVALID' | undefined {
  const [setting = ''] = fromPointer(pointer)
  const isOfKind = code === 'UNKNOWN_MEMBER' || code === 'REQUIRED_MISSING' || setting === 'event'
  return isSetting(setting) && (isOfKind || setting === 'filter') ? 'TRIGGER_INVALID' : undefined
}

function withoutSecret({ secret: _secret, ...kept }: TriggerWithSecret) {
  return kept
}
