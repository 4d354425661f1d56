import { existsSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { WaybillError } from '../../document/issue.ts'
import type { JsonObject } from '../../document/json.ts'
import { heldBack, type PlannedTrigger, planTriggers } from '../../plan/plan-triggers.ts'
import type { Io } from '../io.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import type { WatchedAgent, WatchOptions } from './watched-agent.ts'

/** Something that may start runs of an agent. */
export interface Source {
  /** What it waits for, for people. */
  readonly says: string
  start(): void
  stop(): void
}

/** The triggers of an agent that this machine can wait for; the others are told, with the reason. */
export async function openSources(
  agent: WatchedAgent,
  options: WatchOptions,
  io: Io,
): Promise<readonly Source[]> {
  const sources: Source[] = []
  for (const trigger of planTriggers(agent.setup.definition)) {
    if (trigger.reason !== undefined) {
      tell('trigger.ignored', agent, trigger, { reason: trigger.reason }, options, io)
      continue
    }
    const fire = (payload: JsonObject) => {
      const reason = heldBack(trigger, payload)
      if (reason !== null) tell('trigger.skipped', agent, trigger, { payload, reason }, options, io)
      else if (agent.request(trigger, payload))
        tell('trigger.fired', agent, trigger, { payload }, options, io)
      else
        tell(
          'trigger.skipped',
          agent,
          trigger,
          { payload, reason: 'a run that it started still waits' },
          options,
          io,
        )
    }
    sources.push(
      trigger.type === 'schedule'
        ? await onSchedule(agent, trigger, fire)
        : await onFiles(agent, trigger, fire),
    )
  }
  return sources
}

type Fire = (payload: JsonObject) => void

async function onSchedule(agent: WatchedAgent, trigger: PlannedTrigger, fire: Fire): Promise<Source> {
  const { openSchedule } = await import('../../adapters/triggers/cron-schedule.ts')
  const expression = trigger.schedule ?? ''
  const schedule = await openSchedule(expression, `${trigger.pointer}/schedule`)
  return {
    says: `${agent.name} at "${expression}" (UTC), next ${schedule.next()?.toISOString()}`,
    start: () =>
      schedule.start((at) => fire({ type: 'schedule', schedule: expression, at: at.toISOString() })),
    stop: () => schedule.stop(),
  }
}

async function onFiles(agent: WatchedAgent, trigger: PlannedTrigger, fire: Fire): Promise<Source> {
  const { watchFiles } = await import('../../adapters/triggers/file-changes.ts')
  const path = trigger.path ?? '.'
  const folder = realpathSync(agent.folder)
  const target = insideOf(folder, path, trigger)
  let changes: { stop(): void } | undefined
  return {
    says: `${agent.name} when ${path === '.' ? 'a file beside it' : path} changes`,
    start() {
      changes = watchFiles(
        folder,
        target,
        (change) => fire({ type: 'file_change', ...change, at: new Date().toISOString() }),
        // Written by starting a run.
        (changed) => changed.includes('.lock.json'),
      )
    },
    stop: () => changes?.stop(),
  }
}

/** Like the files that a definition reads, what it watches lies in its own folder. */
function insideOf(folder: string, path: string, { pointer }: PlannedTrigger): string {
  const refuse = (message: string, hint: string) =>
    new WaybillError('TRIGGER_INVALID', { at: `${pointer}/event_name`, message, hint, rule: 'SPEC-D-29' })
  const wanted = resolve(folder, path)
  if (!existsSync(dirname(wanted)))
    throw refuse(`there is no folder ${dirname(path)} to watch`, 'make the folder first')
  const real = existsSync(wanted)
    ? realpathSync(wanted)
    : resolve(realpathSync(dirname(wanted)), path.split('/').at(-1) ?? '')
  const inside = relative(folder, real)
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    throw refuse(
      `${path} lies outside the definition's folder`,
      'watch a path in the folder of the definition',
    )
  return real
}

function tell(
  type: 'trigger.fired' | 'trigger.skipped' | 'trigger.ignored',
  agent: WatchedAgent,
  trigger: PlannedTrigger,
  more: JsonObject,
  options: WatchOptions,
  io: Io,
): void {
  if (options.events === 'ndjson') {
    const line = {
      v: 1,
      at: new Date().toISOString(),
      type,
      agent_id: agent.agentId,
      trigger: trigger.pointer,
      ...more,
    }
    io.out(`${jsonText(line)}\n`)
    return
  }
  const reason = typeof more.reason === 'string' ? `: ${more.reason}` : ''
  const word = {
    'trigger.fired': 'starts',
    'trigger.skipped': 'skipped',
    'trigger.ignored': 'warning: never starts',
  }[type]
  io.err(`${plainLine(`${agent.name}: ${trigger.type} ${word}${reason}`, 400)}\n`)
}
