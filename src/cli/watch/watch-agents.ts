import type { Env } from '../../compose/parts.ts'
import { WaybillError } from '../../document/issue.ts'
import type { RunResult } from '../../run/result.ts'
import type { Home } from '../../session/home.ts'
import { withHome } from '../home.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { environment } from '../run-session/parts-from-flags.ts'
import { ProgressLine } from '../run-view/progress-line.ts'
import { printResultLine, resultLine } from '../run-view/result-line.ts'
import { count } from '../terminal/amounts.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { openSources, type Source } from './sources.ts'
import { type WatchedAgent, type WatchOptions, watchedAgent } from './watched-agent.ts'

/** Waits for the triggers of agents, and runs the agents, until Ctrl-C (`waybill watch`). */
export function watchAgents(files: readonly string[], options: WatchOptions, io: Io): Promise<ExitCode> {
  return withHome(io, (home, env) => watchIn(home, env, files, options, io), environment(options, io))
}

async function watchIn(
  home: Home,
  env: Env,
  files: readonly string[],
  options: WatchOptions,
  given: Io,
): Promise<ExitCode> {
  const progress = new ProgressLine(given, !wantsJson(options) && options.events === undefined)
  const { io } = progress
  const active = new Map<string, number>()
  const stop = new AbortController()
  const end = () => stop.abort()
  const agents: WatchedAgent[] = []
  const results: RunResult[] = []
  const deliver = (label: string, result: RunResult, short: string): void => {
    if (wantsJson(options)) results.push(result)
    if (wantsJson(options) || options.events === 'ndjson') io.err(resultLine(label, result, short, io))
    else printResultLine(label, result, short, io)
  }
  for (const file of files) {
    const showActive = (runs: number) => {
      active.set(file, runs)
      const all = [...active.values()].reduce((sum, of) => sum + of, 0)
      progress.show(all === 0 ? null : `${count(all, 'run')} active`)
    }
    agents.push(await watchedAgent(file, { options, io, home, env }, { deliver, end, showActive }))
  }
  const sources: Source[] = []
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  try {
    for (const agent of agents) sources.push(...(await openSources(agent, options, io)))
    if (sources.length === 0) {
      throw new WaybillError('TRIGGERS_NONE', {
        message: 'no agent has a trigger that can be watched',
        at: '/agent/events/triggers',
        hint: 'declare a trigger of type schedule or file_change, or start the agent with `waybill run`',
        rule: 'SPEC-D-29',
      })
    }
    for (const source of sources) {
      if (options.events === undefined) io.err(`watching: ${plainLine(source.description, 300)}\n`)
      source.start()
    }
    if (options.events === 'ndjson')
      io.out(`${jsonText({ v: 1, type: 'watch.started', triggers: sources.length })}\n`)
    await stopped(stop.signal)
  } finally {
    for (const source of sources) source.stop()
    process.off('SIGINT', end)
    process.off('SIGTERM', end)
  }
  const exits = await Promise.all(agents.map((agent) => agent.idle()))
  if (wantsJson(options)) io.out(`${jsonText({ results })}\n`)
  return Math.max(EXIT.ok, ...exits) as ExitCode
}

function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
