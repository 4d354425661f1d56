import { param, type Route } from '../../http/route.ts'
import type { Platform, Tenant } from '../../platform/platform.ts'
import type { HookMessage } from '../../platform/triggers/trigger.ts'
import { counting, Limiter } from '../limits.ts'
import { hookAnswer } from '../schemas/trigger-schemas.ts'

/** Messages to one hook, in this process. */
const LIMITS = { requestsPerSecond: 20, burst: 100, concurrentRequests: 20, concurrentStreams: 0 }

/** What senders without a token may post to. */
export function hookRoutes(platform: Pick<Platform, 'hooks'>): readonly Route<Tenant>[] {
  const limiter = new Limiter(LIMITS, () => performance.now())
  return [
    {
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
      async handle(call) {
        const hook = param(call, 'hook')
        // Before the hook is looked up: the answer does not depend on whether it exists.
        return counting(limiter.request({ hook }), async () => {
          const message: HookMessage = { hook, headers: call.headers, bytes: call.bytes }
          const { repeated, firing } = await platform.hooks.receive(message)
          const { run_id, state, why } = firing
          return { status: repeated ? 200 : 202, json: { run_id, state, why } }
        })
      },
    },
  ]
}
