import { WaybillError } from '../document/issue.ts'
import { isObject, type Json, type JsonObject } from '../document/json.ts'
import type { PlannedTool } from '../plan/plan.ts'
import {
  type HookPort,
  type ModelAnswer,
  ModelFailure,
  type ModelPort,
  type ModelRequest,
  ToolFailure,
  type ToolPort,
} from '../run/ports.ts'
import type { Message, ToolCall, ToolMessage, Usage } from '../run/state.ts'
import { exampleOf } from './example-value.ts'

/** Maximum length of a user's text in a rehearsed answer, in characters. */
const SHOWN = 200

/**
 * Returns a test double for every model of a plan: a pure function of the request, without network or key. It calls
 * each available tool once, all in one answer, with arguments made from the tool's schema. When it has the results,
 * it answers with an example of the output schema, or with a text that names itself a rehearsal.
 */
export function rehearsalModel(): ModelPort {
  return {
    async ask(request, { onText }) {
      const answer = answerOf(request)
      if (onText !== undefined) for (const piece of answer.message.text.match(/\S+\s*/g) ?? []) onText(piece)
      return answer
    },
  }
}

/**
 * Returns a test double for every tool: answers with an example of the tool's output schema, or with the arguments.
 */
export function rehearsalTools(): ToolPort {
  return {
    async call({ tool, args }) {
      if (tool.output_schema === undefined) return { rehearsed: true, tool: tool.name, arguments: args }
      try {
        return exampleOf(tool.output_schema)
      } catch (error) {
        if (!(error instanceof WaybillError)) throw error
        throw new ToolFailure(
          error.code,
          `no answer of ${tool.name} could be rehearsed: ${error.message}`,
          'unsent',
        )
      }
    },
  }
}

/** Returns a test double for every hook: calls no function of the operator, and vetoes nothing. */
export function rehearsalHooks(): HookPort {
  return { run: async () => ({ ok: true, message: 'a double: the function was not called' }) }
}

function answerOf(request: ModelRequest): ModelAnswer {
  const { plan, messages } = request
  const warnings: string[] = []
  const calls = callsTools(request) ? callEach(plan.tools, warnings) : []
  const text = calls.length > 0 ? '' : finalText(request)
  return {
    message: { role: 'assistant', text, calls },
    finish: calls.length > 0 ? 'tool_calls' : 'stop',
    usage: usageOf(plan.system_prompt, messages, calls.length > 0 ? JSON.stringify(calls) : text),
    warnings,
  }
}

/** Once in a conversation. An agent with a single iteration must answer at once. */
function callsTools({ plan, messages }: ModelRequest): boolean {
  if (plan.limits.max_iterations <= 1) return false
  return !messages.some((message) => message.role === 'assistant' && message.calls.length > 0)
}

function callEach(tools: readonly PlannedTool[], warnings: string[]): ToolCall[] {
  return tools
    .filter((tool) => tool.gate !== 'deny')
    .map((tool, index) => ({
      id: `rehearsal_${index + 1}`,
      tool: tool.name,
      args: argumentsOf(tool, warnings),
    }))
}

function argumentsOf(tool: PlannedTool, warnings: string[]): JsonObject {
  if (tool.parameters_schema === undefined) return {}
  try {
    const example = exampleOf(tool.parameters_schema)
    if (isObject(example)) return example
    warnings.push(`the parameters_schema of ${tool.name} describes no object; it was called with {}`)
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
    warnings.push(`no arguments for ${tool.name} could be made from its schema: ${error.message}`)
  }
  return {}
}

function finalText(request: ModelRequest): string {
  const { output } = request.plan
  if (output.schema !== undefined) return JSON.stringify(exampleOutput(output.schema))
  const story = rehearsedText(request)
  if (output.format !== 'json') return story
  return JSON.stringify({ rehearsed: true, agent: request.plan.agent_name, answer: story })
}

function exampleOutput(schema: JsonObject): Json {
  try {
    return exampleOf(schema)
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
    throw new ModelFailure('request', error.code, `no answer could be rehearsed: ${error.message}`)
  }
}

function rehearsedText({ plan, route, messages }: ModelRequest): string {
  const from = messages.findLastIndex(
    (message) => message.role === 'user' && message.repair !== true && message.recalled === undefined,
  )
  const input = messages[from]
  const results = messages
    .slice(from + 1)
    .filter((message): message is ToolMessage => message.role === 'tool')
  const quoted = input?.role === 'user' ? ` "${clip(input.text)}"` : ''
  const called = results.map((result) => (result.error === true ? `${result.tool} (failed)` : result.tool))
  const after = called.length === 0 ? 'without calling a tool' : `after calling ${called.join(', ')}`
  return `[rehearsal] ${plan.agent_name} would now answer${quoted} with ${route.provider}/${route.model}, ${after}.`
}

/** About four characters per token: a rough estimate that is the same on every machine. */
function usageOf(prompt: string, messages: readonly Message[], answer: string): Usage {
  return {
    input_tokens: Math.ceil((prompt.length + JSON.stringify(messages).length) / 4),
    output_tokens: Math.ceil(answer.length / 4),
  }
}

function clip(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1)}…`
}
