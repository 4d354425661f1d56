import type { JsonObject } from '../../../document/json.ts'

/** The smallest valid Agent State (§8.1). */
export const leastState: JsonObject = {
  sc_standard: 'SC-006',
  state_id: '0b9f3f0e-6d52-4d1f-8f5a-5f0c9f6f1a01',
  agent_id: '6f1b1a52-2d0f-4c39-9a6e-0d8b8c2f4f10',
  checkpoint_at: '2026-03-01T09:00:00Z',
  status: 'paused',
}
