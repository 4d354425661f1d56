import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { createReactAgent, ToolNode } from '@langchain/langgraph/prebuilt'
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
type Options = { readonly recursionLimit: number; readonly configurable: { readonly thread_id: string } }

interface Graph {
  invoke(input: Input, options: Options): Promise<{ readonly messages: readonly BaseMessage[] }>
}

let threads = 0

function langGraph(name: string, compile: (model: InstantModel, saver: MemorySaver) => Graph): Subject {
  return {
    name,
    async prepare(calls, delayMs) {
      process.env.LANGSMITH_TRACING = 'false'
      const saver = new MemorySaver()
      const graph = compile(new InstantModel(calls, delayMs), saver)
      return async () => {
        const thread_id = `thread-${++threads}`
        const { messages } = await graph.invoke(
          { messages: [{ role: 'user', content: 'go' }] },
          { recursionLimit: 2 * calls + 5, configurable: { thread_id } },
        )
        // Ours forgets its lines at the end of a run too.
        await saver.deleteThread(thread_id)
        return String(messages.at(-1)?.content)
      }
    },
  }
}

/** The agent that LangGraph ships: nothing is kept of a run. */
export const prebuilt = langGraph('LangGraph 1 createReactAgent', (llm) => createReactAgent({ llm, tools }) as never)

/** The same loop as a graph of two nodes, which leaves out whatever the shipped agent adds. */
export const graph = langGraph('LangGraph 1, own graph', (model) => {
  const nodes = new StateGraph(MessagesAnnotation)
    .addNode('model', async (state: typeof MessagesAnnotation.State) => ({ messages: [await model.invoke(state.messages)] }))
    .addNode('tools', new ToolNode(tools))
    .addEdge(START, 'model')
    .addConditionalEdges('model', (state: typeof MessagesAnnotation.State) => {
      const last = state.messages.at(-1) as AIMessage
      return (last.tool_calls?.length ?? 0) > 0 ? 'tools' : END
    })
    .addEdge('tools', 'model')
  return nodes.compile() as never
})

/** With a checkpoint in memory after each step: the closest to our record in memory, which a run can be resumed from. */
export const saved = langGraph(
  'LangGraph 1, MemorySaver',
  (llm, checkpointSaver) => createReactAgent({ llm, tools, checkpointSaver }) as never,
)
