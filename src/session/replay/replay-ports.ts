import { isDeepStrictEqual } from 'node:util'
import type { Json, JsonObject } from '../../document/json.ts'
import type { Plan, Program } from '../../plan/plan.ts'
import { continuationOf } from '../../run/decide/continue-answer.ts'
import type { DrivePorts } from '../../run/drive/drive-ports.ts'
import { memoryFirst } from '../../run/drive/memory-first.ts'
import type { PiiPort } from '../../run/drive/pii-port.ts'
import type { Fact } from '../../run/event.ts'
import {
  type HookAnswer,
  HostFailure,
  ModelFailure,
  type ModelRequest,
  type RouteSight,
  ToolFailure,
  ToolQuestions,
} from '../../run/ports.ts'
import type { RunState } from '../../run/state.ts'
import { diverged } from './diverged.ts'
import type { Given, QuestionOutcome, ReviewOutcome, RunScript, ScriptedQuestion } from './run-script.ts'
import { isBefore, type Moment, type VirtualClock } from './virtual-clock.ts'

/** One run of a replay, and the recorded run that answers for it. */
export interface ReplayedRun {
  readonly runId: string
  readonly program: Program
  readonly script: RunScript
  /** The plan that the recorded run followed. */
  readonly recorded: Plan | undefined
  readonly isRoot: boolean
}

/** A question of a replay that is not the recorded one, although its answer is used. */
export interface QuestionDifference {
  readonly run_id: string
  readonly agent_name: string
  /** The number of the question in its run, from 1. */
  readonly question: number
  readonly differs: readonly ('messages' | 'model' | 'instructions' | 'tools' | 'parameters')[]
}

export interface ReplayShared {
  readonly clock: VirtualClock
  /** The plans of all agents; a question with another plan is one to a judge. */
  readonly plans: ReadonlySet<Plan>
  readonly pii: PiiPort
  readonly differences: QuestionDifference[]
  /** Returns when a process has continued the recorded run the next time; null: never. */
  readonly nextResume: () => Moment | null
}

/**
 * Returns the ports of one run of a replay: every answer is the recorded one, at its recorded time. Nothing outside is
 * reached. A fact that a port leads to is replaced by the recorded fact, so that a replay has the same usage, warnings
 * and findings.
 */
export function replayPorts(run: ReplayedRun, shared: ReplayShared): Omit<DrivePorts, 'sink' | 'agents'> {
  const { script, program, isRoot } = run
  const { clock, plans } = shared
  const { agent_name } = program.plan
  let answered: QuestionOutcome | undefined
  let judged: ReviewOutcome | undefined
  const hooked: Fact[] = []

  const isDiverged = (would: string) => new HostFailure(diverged(agent_name, would, script.runId))
  const given = async <F extends Fact>({ fact, moment }: Given<F>, signal = new AbortController().signal) => {
    await clock.until(moment, signal)
    return fact
  }
  /** Waits for what the record does not have although it was begun: it was stopped, or the record ends there. */
  const stopped = async (signal = new AbortController().signal): Promise<never> => {
    await clock.until(null, signal)
    throw new Error('a moment that never comes has come')
  }
  const askAgent = async (request: ModelRequest, signal: AbortSignal) => {
    const { question, questionNumber } = script
    if (question === undefined) {
      if (script.isOpen) return stopped(signal)
      throw isDiverged(`ask its model a question number ${questionNumber}`)
    }
    const differs = differencesOf(request, question, run)
    if (differs.length > 0)
      shared.differences.push({ run_id: run.runId, agent_name, question: questionNumber, differs })
    if (question.outcome === undefined) return stopped(signal)
    answered = await given(question.outcome, signal)
    if (answered.type === 'model.failed') throw modelFailure(answered)
    const { message, finish, usage, warnings = [] } = answered
    return { message, finish, usage, warnings }
  }
  const askJudge = async (signal: AbortSignal) => {
    const review = script.nextReview()
    if (review === undefined && !script.isOpen) throw isDiverged('ask its judge')
    if (review == null) return stopped(signal)
    judged = await given(review, signal)
    if (judged.type === 'judge.failed') throw new ModelFailure('route', 'MODEL_ERROR', judged.message)
    return {
      message: { role: 'assistant' as const, text: '{"breaches": []}', calls: [] },
      finish: 'stop' as const,
      usage: judged.usage ?? {},
      warnings: [],
    }
  }
  const recordedFact = (fact: Fact, state: RunState): Fact => {
    switch (fact.type) {
      case 'model.answered':
      case 'model.failed':
        return answered === undefined ? fact : { ...answered, attempt: fact.attempt }
      case 'judge.answered':
      case 'judge.failed':
        return judged === undefined ? fact : { ...judged, review: fact.review }
      case 'memory.read': {
        const read = script.recalls.shift()
        if (read === undefined && !script.isOpen)
          throw diverged(agent_name, 'search its memory', script.runId)
        return read === undefined ? fact : { ...read.fact, turn: fact.turn }
      }
      case 'hook.ran': {
        const ran = hooked.shift()
        if (ran?.type !== 'hook.ran') return fact
        return { ...ran, ...(fact.call_id !== undefined && { call_id: fact.call_id }) }
      }
      case 'call.answered':
      case 'call.failed': {
        const call = state.calls.find(({ id }) => id === fact.call_id)
        if (call === undefined || call.agent !== undefined || call.status === 'done') return fact
        const outcome = script.call(call.tool, call.args, call.key)?.outcome
        if (outcome !== undefined) return { ...outcome.fact, call_id: fact.call_id }
        if (fact.type === 'call.failed') return fact
        throw diverged(agent_name, callText(call.tool, call.args), script.runId)
      }
      case 'approval.lapsed': {
        const call = state.calls.find(({ id }) => id === fact.call_id)
        if (call !== undefined) script.decided(call)
        return fact
      }
      case 'run.paused': {
        const paused = isRoot ? undefined : script.pauses.shift()
        return paused === undefined ? fact : paused.fact
      }
      default:
        return fact
    }
  }

  return {
    model: {
      ask: (request, { signal }) => (plans.has(request.plan) ? askAgent(request, signal) : askJudge(signal)),
    },
    tools: {
      async call({ tool, args, key, elicitation }, { signal }): Promise<Json> {
        const call = script.call(tool.name, args, key)
        if (call === undefined) throw isDiverged(callText(tool.name, args))
        const question = call.asked[elicitation?.round ?? 0]
        if (question !== undefined) {
          const { questions, request_state } = await given(question, signal)
          throw new ToolQuestions(questions, request_state)
        }
        if (call.outcome === undefined) return stopped(signal)
        const fact = await given(call.outcome, signal)
        if (fact.type === 'call.answered') return fact.result
        throw new ToolFailure<string>(fact.code, fact.message, fact.outcome)
      },
    },
    hooks: {
      async run({ hook, call }): Promise<HookAnswer> {
        const ofHook = script.hooks.filter(({ fact }) => fact.hook === hook)
        const next = ofHook.find(({ fact }) => fact.call_id === call?.call_id) ?? ofHook[0]
        if (next === undefined) {
          if (script.isOpen) return stopped()
          throw isDiverged(`call the hook ${hook}`)
        }
        script.hooks.splice(script.hooks.indexOf(next), 1)
        const fact = await given(next)
        hooked.push(fact)
        const veto = /^vetoed: ([\s\S]*)$/.exec(fact.message ?? '')?.[1]
        return veto === undefined
          ? { ok: fact.ok, ...(fact.message !== undefined && { message: fact.message }) }
          : { ok: fact.ok, veto }
      },
    },
    memory: {
      recall: async () => ({ items: [], warnings: [] }),
      collect: async () => ({ items: [], warnings: [] }),
      save: async () => {},
    },
    routes: {
      read: (routes) => routes.map((_, route) => sightOf(route, routeOf(run))),
      asked: () => script.asked(),
      answered: () => {},
      failed: () => {},
    },
    clock: {
      now: () => clock.now(),
      sleep: (ms, signal) => clock.until([clock.now() + ms], signal),
      alarm: (at, ring) => clock.alarm(script.rang(at) ?? [at, Number.POSITIVE_INFINITY], ring),
    },
    async ask(call, _state, signal) {
      const decision = script.decision(call)
      if (decision === undefined) throw isDiverged(`ask a person about ${callText(call.tool, call.args)}`)
      const resume = shared.nextResume()
      const isLater = decision !== null && resume !== null && isBefore(resume, decision.moment)
      // The caller of a sub-agent that waits for a person waits, too, until a process continues it.
      if ((decision === null || isLater) && !isRoot && script.alarms.length === 0) return null
      try {
        if (decision === null || isLater) return await stopped(signal)
        const fact = await given(decision, signal)
        script.decided(call)
        return { ...fact, call_id: call.id }
      } catch (error) {
        if (signal.aborted) return null
        throw error
      }
    },
    pii: {
      ...shared.pii,
      clean: (fact, own, state) => shared.pii.clean(recordedFact(fact, state), own, state),
    },
  }
}

function callText(tool: string, args: JsonObject): string {
  return `call ${tool} ${JSON.stringify(args)}`
}

function modelFailure({
  kind,
  code,
  message,
  hint,
  retry_after_ms,
}: Extract<QuestionOutcome, { type: 'model.failed' }>) {
  return new ModelFailure<string>(kind, code, message, retry_after_ms, hint)
}

/** Returns the recorded route of the next question; undefined: another plan has other routes. */
function routeOf({ program, script, recorded }: ReplayedRun): number | undefined {
  return recorded !== undefined && isDeepStrictEqual(recorded.models, program.plan.models)
    ? script.nextRoute
    : undefined
}

/** The latest time that a date can have, in milliseconds. */
const LATEST = 8_640_000_000_000_000

/** Returns an observation of a route that leads to the recorded one: the observations of that time are not on record. */
function sightOf(route: number, next: number | undefined): RouteSight {
  return next === undefined || next === route
    ? { turn: 0, failures: 0 }
    : { turn: 1, failures: Number.MAX_SAFE_INTEGER, closed_until: LATEST }
}

/** Returns in what a question differs from the recorded one. */
function differencesOf(
  { plan, route, messages }: ModelRequest,
  { state, route: recordedRoute }: ScriptedQuestion,
  { recorded }: ReplayedRun,
): QuestionDifference['differs'] {
  const asked = [...memoryFirst(state.messages.toArray()), ...continuationOf(state)]
  const before = recorded?.models[recordedRoute]
  return [
    ...(isDeepStrictEqual(messages, asked) ? [] : (['messages'] as const)),
    ...(before?.provider === route.provider && before.model === route.model ? [] : (['model'] as const)),
    ...(recorded?.system_prompt === plan.system_prompt ? [] : (['instructions'] as const)),
    ...(isDeepStrictEqual(recorded?.tools.map(offered), plan.tools.map(offered)) ? [] : (['tools'] as const)),
    ...(isDeepStrictEqual([recorded?.params, recorded?.output], [plan.params, plan.output])
      ? []
      : (['parameters'] as const)),
  ]
}

/** Returns what a model sees of a tool. */
function offered({ name, description, parameters_schema }: Plan['tools'][number]) {
  return { name, description, parameters_schema }
}
