import { randomUUID } from 'node:crypto'
import { WaybillError } from '../../src/document/issue.ts'
import {
  type DeliveryView,
  type NewWebhook,
  WEBHOOK_EVENTS,
  type Webhooks,
  type WebhookView,
} from '../../src/platform/webhooks/webhook.ts'
import type { Principal } from '../../src/session/principal.ts'

const AT = '2026-01-01T00:00:00.000Z'

interface Known {
  readonly view: WebhookView
  readonly deliveries: Map<string, DeliveryView>
}

/** The webhooks of one organisation, in memory. It sends nothing. */
export class FakeWebhooks {
  readonly #known = new Map<string, Known>()

  webhooks({ user }: Principal): Webhooks {
    const known = this.#known
    const find = (id: string) => {
      const found = known.get(id)
      if (found === undefined)
        throw new WaybillError('WEBHOOK_NOT_FOUND', { fault: 'usage', message: 'not known' })
      return found
    }
    const put = (id: string, request: NewWebhook, active = true) => {
      const view = viewOf(id, request, active, user)
      known.set(id, { view, deliveries: known.get(id)?.deliveries ?? new Map() })
      return { ...view, ...(view.signature === 'v1' && { secret: `whsec_${randomUUID()}` }) }
    }
    return {
      list: async () => ({ items: [...known.values()].map(({ view }) => view), next: null }),
      read: async (id) => find(id).view,
      create: async (request, id = randomUUID()) => put(id, request),
      async change(id, { active, ...request }) {
        find(id)
        return put(id, request, active)
      },
      async remove(id) {
        find(id)
        known.delete(id)
      },
      deliveries: async (id) => ({ items: [...find(id).deliveries.values()], next: null }),
      async replay(id, delivery) {
        const found = active(find(id)).deliveries.get(delivery)
        if (found === undefined)
          throw new WaybillError('DELIVERY_NOT_FOUND', { fault: 'usage', message: 'not known' })
        return found
      },
      async test(id, key = randomUUID()) {
        const delivery: DeliveryView = {
          id: `msg_${key}`,
          type: 'webhook.test',
          run_id: null,
          state: 'pending',
          attempts: 0,
          created_at: AT,
          attempted_at: null,
          next_at: AT,
          status: null,
          error: null,
        }
        active(find(id)).deliveries.set(delivery.id, delivery)
        return delivery
      },
    }
  }
}

function active(one: Known): Known {
  if (one.view.state === 'active') return one
  throw new WaybillError('WEBHOOK_INACTIVE', { message: 'it is deactivated' })
}

function viewOf(id: string, request: NewWebhook, isActive: boolean, user: string): WebhookView {
  const { url, events = WEBHOOK_EVENTS, agent_id = null, runs = 'all', signature = 'v1' } = request
  if (URL.parse(url) === null)
    throw new WaybillError('ENDPOINT_URL_INVALID', { at: '/url', message: 'not a URL' })
  return {
    id,
    url,
    events,
    agent_id,
    runs,
    signature,
    state: isActive ? 'active' : 'deactivated',
    why: isActive ? null : 'deactivated',
    deactivated_at: isActive ? null : AT,
    delivered: 0,
    failed: 0,
    failures: 0,
    failing_since: null,
    delivered_at: null,
    created_at: AT,
    created_by: user,
  }
}
