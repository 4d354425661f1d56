import type { JsonObject } from '../../../document/json.ts'

/** The smallest valid stream (§8.3): its first and its last line. */
export const init: JsonObject = {
  type: 'handoff_init',
  state_id: '0b9f3f0e-6d52-4d1f-8f5a-5f0c9f6f1a01',
  agent_id: '6f1b1a52-2d0f-4c39-9a6e-0d8b8c2f4f10',
  run_id: 'b3f0c1de-54c1-4d1c-9a55-0d4a6a0d5c02',
  source_platform: 'Post office',
  migration_token: 'signed elsewhere',
}
export const complete: JsonObject = { type: 'handoff_complete', checksum: 'computed elsewhere' }
export const chunk = (index: number): JsonObject => ({ type: 'context_chunk', index, messages: [] })
