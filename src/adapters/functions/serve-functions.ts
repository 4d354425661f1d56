import { Socket } from 'node:net'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import type { PlannedTool } from '../../plan/plan.ts'
import { ToolFailure } from '../../run/ports.ts'
import { createFunctionTool } from '../tools/function-tool.ts'
import { toJsonData } from '../tools/json-data.ts'
import { reportedFunctions } from '../tools/reported-functions.ts'
import { loadToolModule, type ToolModule } from '../tools/tool-module.ts'
import type { ToProcess } from './function-messages.ts'
import {
  type BrokenModule,
  type CallFailure,
  CHANNEL_FD,
  type FromProcess,
  LARGEST_RESULT,
} from './function-messages.ts'
import { jsonLines } from './json-lines.ts'

type Request = Extract<ToProcess, { readonly id: number }>

/**
 * Serves the functions of a module to the parent process, in a process of its own. Ends when the parent has closed the
 * channel, or has ended.
 */
export async function serveFunctions(file: string): Promise<void> {
  let receive: (message: ToProcess) => void = () => {}
  const send = channel((message) => receive(message))
  let module: ToolModule
  try {
    // The parent keeps what this process writes in its log, without known secrets.
    module = reportedFunctions(await loadToolModule(file), ({ name, stack }) => {
      process.stderr.write(`${name} threw ${stack}\n`)
    })
  } catch (error) {
    // The parent ends this process.
    send({ kind: 'broken', error: brokenOf(error) })
    return
  }
  const running = new Map<number, AbortController>()
  const perform = async (request: Exclude<Request, { readonly kind: 'cancel' }>): Promise<void> => {
    const { id } = request
    const stop = new AbortController()
    running.set(id, stop)
    try {
      const result =
        request.kind === 'call'
          ? await callTool(module, request, stop.signal)
          : await callHook(module, request, stop.signal)
      send({ kind: 'done', id, result: boundedText(request.name, result) })
    } catch (error) {
      send({ kind: 'failed', id, failure: failureOf(error) })
    } finally {
      running.delete(id)
    }
  }
  receive = (message) => {
    switch (message.kind) {
      case 'call':
      case 'hook':
        void perform(message)
        return
      case 'cancel':
        running.get(message.id)?.abort()
        return
      case 'ping':
        send({ kind: 'pong' })
    }
  }
  send({
    kind: 'ready',
    tools: [...module.tools].map(([name, { readOnly, idempotent, parameters }]) => ({
      name,
      readOnly,
      idempotent,
      ...defined({ parameters }),
    })),
    hooks: [...module.hooks.keys()],
  })
}

/** Opens the channel to the parent. When it closes, this process ends. */
function channel(onMessage: (message: ToProcess) => void): (message: FromProcess) => void {
  const end = () => process.exit(0)
  const socket = new Socket({ fd: CHANNEL_FD, readable: true, writable: true })
  socket.once('end', end)
  socket.once('close', end)
  return jsonLines(socket, { onMessage, onBroken: end, longest: Number.POSITIVE_INFINITY })
}

async function callTool(
  module: ToolModule,
  { name, args, key, headers }: Extract<ToProcess, { readonly kind: 'call' }>,
  signal: AbortSignal,
): Promise<Json> {
  // The tool of a plan has more members, which are for other protocols.
  const tool = { name } as PlannedTool
  return createFunctionTool(module).call({ tool, args, key, headers }, { signal })
}

async function callHook(
  module: ToolModule,
  { name, argument, key }: Extract<ToProcess, { readonly kind: 'hook' }>,
  signal: AbortSignal,
): Promise<Json> {
  const hook = module.hooks.get(name)
  if (hook === undefined) throw new Error(`there is no hook ${name}`)
  const returned = await hook(argument, { signal, idempotencyKey: key })
  try {
    return toJsonData(returned)
  } catch {
    // The caller ignores the results of most hooks, and refuses a text as verdict.
    return 'not JSON data'
  }
}

function boundedText(name: string, result: Json): string {
  const text = JSON.stringify(result)
  if (text.length <= LARGEST_RESULT) return text
  const message = `${name} returned more than ${LARGEST_RESULT} characters of JSON`
  throw new ToolFailure('TOOL_RESULT_TOO_LARGE', message, 'answered')
}

function failureOf(error: unknown): CallFailure {
  if (!(error instanceof ToolFailure)) {
    // Thrown by a hook, or by a call whose run was cancelled.
    return { code: 'TOOL_THREW', message: messageOf(error), outcome: 'answered' }
  }
  const { code, message, outcome } = error
  return { code: code as CallFailure['code'], message, outcome }
}

function brokenOf(error: unknown): BrokenModule {
  if (!(error instanceof WaybillError)) return { code: 'TOOLS_MODULE_UNREADABLE', message: messageOf(error) }
  const { message, file, line, hint } = error.details
  return {
    code: error.code,
    message,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...(hint !== undefined && { hint }),
  }
}
