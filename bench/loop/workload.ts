import { setTimeout as sleep } from 'node:timers/promises'

/** The model and tool of every subject, so that only the code between them differs. */
export const FINAL_TEXT = 'done'

/** Number of model and tool calls: proves that a subject did the measured work. */
export const counted = { model: 0, tool: 0 }

export type ModelStep =
  | { readonly call: { readonly id: string; readonly args: { readonly x: number } } }
  | { readonly text: string }

/** Returns the model's next step, which depends only on the conversation. @param results tool results so far */
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
