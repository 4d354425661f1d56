import type { Command } from 'commander'
import { defined } from '../../document/defined.ts'
import type { ExitCode, Io } from '../io.ts'
import { serverFor } from '../remote/with-records.ts'
import { givenInput } from '../run-session/run-input.ts'
import type { RunAgentOptions } from './run-agent.ts'

/** Starts the runs of a command line: on a server, as a batch, in the background, or in this process (`waybill run`). */
export async function startRun(
  file: string,
  text: string | undefined,
  given: RunAgentOptions,
  command: Command,
  io: Io,
): Promise<ExitCode> {
  const options = { ...given, ...defined({ input: givenInput(text, given) }) }
  const { batch, detach } = options
  const server = serverFor(options, io)
  if (server !== undefined)
    return (await import('../remote/run-there.ts')).runThere(server, file, options, io)
  if (batch !== undefined)
    return (await import('./batch/run-batch.ts')).runBatchFile(file, { ...options, batch }, io)
  if (detach === true) return (await import('./run-detached.ts')).runDetached(file, options, command, io)
  return (await import('./run-agent.ts')).runAgent(file, options, io)
}
