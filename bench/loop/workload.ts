import { setTimeout as sleep } from 'node:timers/promises'

/** What every subject's model and tool do, so that only what lies between them differs. */
export const FINAL_TEXT = 'done'

/** How often model and tool were called: proves that a subject did the work it is timed for. */
export const counted = { model: 0, tool: 0 }

export type ModelStep =
  | { readonly call: { readonly id: string; readonly args: { readonly x: number } } }
  | { readonly text: string }

/** The model's next step, decided from the conversation alone. @param results tool results it has seen */
export async function modelStep(results: number, tools: number, delayMs: number): Promise<ModelStep> {
  counted.model++
  if (delayMs > 0) await sleep(delayMs)
  return results < tools ? { call: { id: `call_${results}`, args: { x: results } } } : { text: FINAL_TEXT }
}

export async function increment(args: { readonly x: number }): Promise<{ y: number }> {
  counted.tool++
  return { y: args.x + 1 }
}

export const TOOL = {
  name: 'increment',
  description: 'Adds one.',
  parameters: {
    type: 'object',
    properties: { x: { type: 'number' } },
    required: ['x'],
    additionalProperties: false,
  },
} as const
