import { randomUUID } from 'node:crypto'
import { WaybillError } from '../../src/document/issue.ts'
import type { Erasure, TenantRemoval } from '../../src/platform/removal/removal.ts'

/** Removes nothing, and keeps its erasures pending. */
export function fakeRemoval(runs: Map<string, unknown>, erasures: Map<string, Erasure>): TenantRemoval {
  return {
    async run(runId) {
      if (!runs.delete(runId))
        throw new WaybillError('RUN_NOT_FOUND', { fault: 'usage', message: 'not known' })
      return 1
    },
    async erasures() {
      return { items: [...erasures.values()].toReversed(), next: null }
    },
    async erasure(id) {
      const found = erasures.get(id)
      if (found === undefined)
        throw new WaybillError('ERASURE_NOT_FOUND', { fault: 'usage', message: 'not known' })
      return found
    },
    async erase(user) {
      const made: Erasure = {
        id: randomUUID(),
        user,
        subject: 'f'.repeat(64),
        requested_by: 'x',
        requested_at: '2026-11-23T00:00:00.000Z',
        state: 'pending',
        runs: 0,
        items: 0,
        removed_at: null,
        complete_at: null,
      }
      erasures.set(made.id, made)
      return made
    },
  }
}
