import { randomUUID } from 'node:crypto'
import { WaybillError } from '../../src/document/issue.ts'
import type { Json } from '../../src/document/json.ts'
import type {
  FiringView,
  Hooks,
  NewTrigger,
  TriggerChange,
  Triggers,
  TriggerView,
} from '../../src/platform/triggers/trigger.ts'
import type { Principal } from '../../src/session/principal.ts'

const AT = '2026-01-01T00:00:00.000Z'

/** The triggers of one organisation, in memory. They start nothing. */
export class FakeTriggers {
  readonly #known = new Map<string, { view: TriggerView; readonly firings: FiringView[] }>()

  triggers({ user }: Principal): Triggers {
    const known = this.#known
    const find = (id: string) => {
      const found = known.get(id)
      if (found === undefined)
        throw new WaybillError('TRIGGER_NOT_FOUND', { fault: 'usage', message: 'not known' })
      return found
    }
    const fired = (id: string, slot: string, _payload?: Json): FiringView => {
      const { view, firings } = find(id)
      if (view.state === 'disabled') throw new WaybillError('TRIGGER_DISABLED', { message: 'it is disabled' })
      const before = firings.find((one) => one.slot === slot)
      if (before !== undefined) return before
      const firing = firingOf(slot, user)
      firings.unshift(firing)
      return firing
    }
    return {
      list: async () => ({ items: [...known.values()].map(({ view }) => view), next: null }),
      read: async (id) => find(id).view,
      async create(request, id = randomUUID()) {
        known.set(id, { view: viewOf(id, request, user), firings: [] })
        const { view } = find(id)
        return view.kind === 'webhook' ? { ...view, secret: `whsec_${randomUUID()}` } : view
      },
      async change(id, request) {
        const found = find(id)
        const { agent_id, kind } = found.view
        found.view = viewOf(id, { agent_id, kind, ...request }, user)
        return found.view
      },
      async remove(id) {
        find(id)
        known.delete(id)
      },
      firings: async (id) => ({ items: find(id).firings, next: null }),
      fire: async (id, payload, slot = randomUUID()) => fired(id, slot, payload),
      renewSecret: async (id) => ({ ...find(id).view, secret: `whsec_${randomUUID()}` }),
      message: async (id, { id: slot = randomUUID() }) => fired(id, slot),
    }
  }
}

/** No hook is known. */
export const fakeHooks: Hooks = {
  async receive() {
    throw new WaybillError('HOOK_REFUSED', { fault: 'refused', message: 'there is no such hook' })
  },
}

function viewOf(
  id: string,
  request: TriggerChange & Pick<NewTrigger, 'agent_id' | 'kind'>,
  user: string,
): TriggerView {
  const { enabled = true, ...settings } = request
  return {
    ...settings,
    id,
    source: 'api',
    state: enabled ? 'enabled' : 'disabled',
    why: enabled ? null : 'disabled',
    on_behalf_of: user,
    next_at: null,
    last: null,
    created_at: AT,
    created_by: user,
  }
}

function firingOf(slot: string, user: string): FiringView {
  return {
    slot,
    state: 'pending',
    why: null,
    run_id: null,
    version: null,
    on_behalf_of: user,
    depth: 0,
    at: AT,
  }
}
