import { existsSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { WaybillError } from '../../document/issue.ts'
import type { JsonObject } from '../../document/json.ts'
import type { PlannedTrigger } from '../../plan/plan.ts'
import { heldBack } from '../../plan/plan-triggers.ts'
import type { Io } from '../io.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import type { WatchedAgent, WatchOptions } from './watched-agent.ts'

/** A trigger that can start runs of an agent. */
export interface Source {
  /** The condition that starts a run, as text. */
  readonly description: string
  start(): void
  stop(): void
}

/** Opens the triggers of an agent. Reports each trigger that cannot start a run here, with the reason. */
export async function openSources(
  agent: WatchedAgent,
  options: WatchOptions,
  io: Io,
): Promise<readonly Source[]> {
  const sources: Source[] = []
  for (const trigger of agent.setup.program.plan.triggers ?? []) {
    if (trigger.reason !== undefined) {
      report('trigger.ignored', agent, trigger, { reason: trigger.reason }, options, io)
      continue
    }
    const fire = (payload: JsonObject) => {
      const reason = heldBack(trigger, payload)
      if (reason !== null) report('trigger.skipped', agent, trigger, { payload, reason }, options, io)
      else if (agent.request(trigger, payload))
        report('trigger.fired', agent, trigger, { payload }, options, io)
      else
        report(
          'trigger.skipped',
          agent,
          trigger,
          { payload, reason: 'an earlier run of this trigger has not started yet' },
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
  const schedule = openSchedule(expression, `${trigger.pointer}/schedule`)
  return {
    description: `${agent.name} at "${expression}" (UTC), next ${schedule.next()?.toISOString()}`,
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
    description: `${agent.name} when ${path === '.' ? 'a file in its folder' : path} changes`,
    start() {
      changes = watchFiles(
        folder,
        target,
        (change) => fire({ type: 'file_change', ...change, at: new Date().toISOString() }),
        // The start of a run writes the lock file.
        (changed) => changed.includes('.lock.json'),
      )
    },
    stop: () => changes?.stop(),
  }
}

/** Returns the real path to watch. It must be in the folder of the definition, like the files that a definition reads. */
function insideOf(folder: string, path: string, { pointer }: PlannedTrigger): string {
  const refuse = (message: string, hint: string) =>
    new WaybillError('TRIGGER_INVALID', { at: `${pointer}/event_name`, message, hint, rule: 'SPEC-D-29' })
  const wanted = resolve(folder, path)
  if (!existsSync(dirname(wanted)))
    throw refuse(`the folder ${dirname(path)} does not exist`, 'create the folder first')
  const real = existsSync(wanted)
    ? realpathSync(wanted)
    : resolve(realpathSync(dirname(wanted)), path.split('/').at(-1) ?? '')
  const inside = relative(folder, real)
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    throw refuse(
      `${path} is outside the folder of the definition`,
      'use a path in the folder of the definition',
    )
  return real
}

function report(
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
  const outcome = {
    'trigger.fired': 'starts',
    'trigger.skipped': 'skipped',
    'trigger.ignored': 'warning: not watched',
  }[type]
  io.err(`${plainLine(`${agent.name}: ${trigger.type} ${outcome}${reason}`, 400)}\n`)
}
