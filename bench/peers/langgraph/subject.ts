import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { MemorySaver } from '@langchain/langgraph'
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { z } from 'zod'
import type { Subject } from '../../loop/subject.ts'
import { increment, modelStep, TOOL } from '../../loop/workload.ts'

const usage_metadata = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }

/** A chat model that answers in this process. */
class InstantModel extends BaseChatModel {
  readonly #tools: number
  readonly #delayMs: number

  constructor(tools: number, delayMs: number) {
    super({})
    this.#tools = tools
    this.#delayMs = delayMs
  }

  _llmType(): string {
    return 'instant'
  }

  override bindTools(): this {
    return this
  }

  async _generate(messages: readonly BaseMessage[]) {
    const results = messages.filter((message) => message.getType() === 'tool').length
    const step = await modelStep(results, this.#tools, this.#delayMs)
    const message =
      'text' in step
        ? new AIMessage({ content: step.text, usage_metadata })
        : new AIMessage({
            content: '',
            tool_calls: [{ ...step.call, name: TOOL.name, type: 'tool_call' }],
            usage_metadata,
          })
    return { generations: [{ text: String(message.content), message }] }
  }
}

const tools = [
  tool(async (args: { x: number }) => JSON.stringify(await increment(args)), {
    name: TOOL.name,
    description: TOOL.description,
    schema: z.object({ x: z.number() }),
  }),
]

type Input = { readonly messages: readonly { readonly role: 'user'; readonly content: string }[] }
interface Options {
  readonly recursionLimit: number
  readonly configurable: { readonly thread_id: string }
  readonly durability: 'sync'
}

interface Graph {
  invoke(input: Input, options: Options): Promise<{ readonly messages: readonly BaseMessage[] }>
}

let threads = 0

/**
 * The prebuilt agent of LangGraph.
 * @param openSaver opens the checkpoint store; absent: no checkpoints
 */
export function langGraph(name: string, openSaver?: () => BaseCheckpointSaver): Subject {
  return {
    name,
    async prepare(calls, delayMs) {
      process.env.LANGSMITH_TRACING = 'false'
      const saver = openSaver?.()
      const llm = new InstantModel(calls, delayMs)
      const graph = createReactAgent({
        llm,
        tools,
        ...(saver !== undefined && { checkpointSaver: saver }),
      }) as unknown as Graph
      return async () => {
        const thread_id = `thread-${++threads}`
        const { messages } = await graph.invoke(
          { messages: [{ role: 'user', content: 'go' }] },
          { recursionLimit: 2 * calls + 5, configurable: { thread_id }, durability: 'sync' },
        )
        // An in-memory record would grow with every run.
        if (saver instanceof MemorySaver) await saver.deleteThread(thread_id)
        return String(messages.at(-1)?.content)
      }
    },
  }
}

export const prebuilt = langGraph('LangGraph 1 createReactAgent')

/** A checkpoint in memory after each step, from which a run can be resumed. */
export const saved = langGraph('LangGraph 1, MemorySaver', () => new MemorySaver())
