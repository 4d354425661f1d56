import { generateText, jsonSchema, stepCountIs, type Telemetry, tool } from 'ai'
import type { Subject } from '../../loop/subject.ts'
import { increment, modelStep, TOOL } from '../../loop/workload.ts'

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}

interface Prompt {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[]
}

/** A model of specification v4 that answers in this process. */
function model(tools: number, delayMs: number) {
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'instant',
    supportedUrls: {},
    async doGenerate({ prompt }: Prompt) {
      const results = prompt.filter((message) => message.role === 'tool').length
      const step = await modelStep(results, tools, delayMs)
      const content =
        'text' in step
          ? { type: 'text', text: step.text }
          : { type: 'tool-call', toolCallId: step.call.id, toolName: TOOL.name, input: JSON.stringify(step.call.args) }
      const reason = 'text' in step ? 'stop' : 'tool-calls'
      return { content: [content], finishReason: { unified: reason, raw: reason }, usage, warnings: [] }
    },
    doStream(): never {
      throw new Error('not used')
    },
  } as never
}

export const subject: Subject = generating('AI SDK 7 generateText')

/** @param integration reports events; absent: no reporting */
export function generating(name: string, integration?: Telemetry): Subject {
  return { name, prepare: (tools, delayMs) => prepare(tools, delayMs, integration) }
}

async function prepare(tools: number, delayMs: number, integration: Telemetry | undefined) {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  const options = {
    model: model(tools, delayMs),
    tools: {
      [TOOL.name]: tool({
        description: TOOL.description,
        inputSchema: jsonSchema<{ x: number }>(TOOL.parameters as never),
        execute: increment,
      }),
    },
    prompt: 'go',
    stopWhen: stepCountIs(tools + 5),
    ...(integration !== undefined && { telemetry: { integrations: integration } }),
  }
  return async () => (await generateText(options)).text
}
