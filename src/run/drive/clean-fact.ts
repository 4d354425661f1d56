import { isDeepStrictEqual } from 'node:util'
import { defined } from '../../document/defined.ts'
import { asJson, type Json, type JsonObject } from '../../document/json.ts'
import type { Program } from '../../plan/plan.ts'
import { JsonCleaner, type StandIn } from '../../policy/pii/clean-json.ts'
import type { PiiFinder } from '../../policy/pii/find-pii.ts'
import type { Check } from '../../schema/user-schema.ts'
import { checkAnswers } from '../check-answers.ts'
import { BACKGROUND } from '../decide/background.ts'
import type { QuestionAnswers } from '../elicitation.ts'
import type { Fact, FactOf } from '../event.ts'
import type {
  AssistantMessage,
  CallEntry,
  MemoryItem,
  Message,
  RestoredState,
  RunState,
  ToolCall,
} from '../state.ts'

export interface CleanOptions {
  readonly find: PiiFinder
  readonly standIn: StandIn
  /** Replaces placeholders by real values. */
  readonly reveal: <T extends Json>(value: T) => T
}

/**
 * Returns a fact as it may be recorded and shown to a model (AAIF §4.9): personal data in texts of people, models
 * and tools is replaced, and what was found is counted. Ids, codes and numbers of the runtime are kept. The result
 * of matching a schema is computed from the real values.
 */
export function cleanFact(fact: Fact, program: Program, state: RunState, options: CleanOptions): Fact {
  const cleaner = new JsonCleaner(options.find, options.standIn)
  const clean = cleaned(fact, program, state, cleaner, options)
  const pii = cleaner.counts()
  return pii.length === 0 ? clean : ({ ...clean, pii } as Fact)
}

function cleaned(
  fact: Fact,
  program: Program,
  state: RunState,
  cleaner: JsonCleaner,
  options: CleanOptions,
): Fact {
  switch (fact.type) {
    case 'run.started': {
      const input = cleaner.json(fact.input, '/input')
      const ids = new Map<string, string>()
      const history = fact.history?.map((message) => cleanMessage(message, cleaner, '/history/*', ids))
      return {
        ...fact,
        input,
        ...fitting(program.checkInput, input, fact.input, options),
        ...(fact.named !== undefined && { named: cleaner.json(fact.named, '/named') }),
        ...defined({ history }),
        ...(fact.memory !== undefined && {
          memory: { ...fact.memory, items: cleanItems(fact.memory.items, cleaner, '/memory/items/*') },
        }),
      }
    }
    case 'user.said': {
      const input = cleaner.json(fact.input, '/input')
      const background = fact.background?.map((item) =>
        item.text === undefined ? item : { ...item, text: cleaner.text(item.text, `${BACKGROUND}/*/text`) },
      )
      return {
        ...fact,
        input,
        ...defined({ background }),
        ...fitting(program.checkInput, input, fact.input, options),
      }
    }
    case 'user.steered': {
      const input = cleaner.json(fact.input, '/input')
      return { ...fact, input, ...fitting(program.checkInput, input, fact.input, options) }
    }
    case 'memory.read':
      return { ...fact, items: cleanItems(fact.items, cleaner, '/items/*') }
    case 'model.answered': {
      const message = cleanAnswer(fact.message, program, cleaner, options, state.seq)
      if (message === fact.message && fact.warnings === undefined) return fact
      const warnings = fact.warnings?.map((warning) => cleaner.text(warning, '/warnings/*'))
      return { ...fact, message, ...defined({ warnings }) }
    }
    case 'model.failed':
    case 'call.failed':
    case 'judge.failed':
      return { ...fact, message: cleaner.text(fact.message, '/message') }
    case 'call.answered': {
      const result = cleaner.json(fact.result, '/result')
      if (result === fact.result) return fact
      const call = state.calls.find(({ id }) => id === fact.call_id)
      const check = call === undefined ? undefined : program.checkResult.get(call.tool)
      return { ...fact, result, ...fitting(check, result, fact.result, options) }
    }
    case 'call.asked':
      return {
        ...fact,
        questions: cleaner.json(asJson(fact.questions), '/questions') as unknown as typeof fact.questions,
        ...(fact.request_state !== undefined && {
          request_state: cleaner.text(fact.request_state, '/request_state'),
        }),
      }
    case 'person.decided':
      return {
        ...fact,
        ...(fact.answers !== undefined && cleanAnswers(fact, fact.answers, state, cleaner, options)),
        ...(fact.result !== undefined && { result: cleaner.json(fact.result, '/result') }),
        ...(fact.arguments !== undefined &&
          cleanArguments(fact, fact.arguments, program, state, cleaner, options)),
        ...(fact.why !== undefined && { why: cleaner.text(fact.why, '/why') }),
      }
    case 'judge.answered':
      return {
        ...fact,
        breaches: fact.breaches.map((breach) => ({
          ...breach,
          why: cleaner.text(breach.why, '/breaches/*/why'),
        })),
      }
    case 'run.paused':
      return fact.partial === undefined ? fact : { ...fact, partial: cleaner.text(fact.partial, '/partial') }
    case 'hook.ran':
      return fact.message === undefined ? fact : { ...fact, message: cleaner.text(fact.message, '/message') }
    case 'messages.restored': {
      const ids = new Map<string, string>()
      return {
        ...fact,
        messages: fact.messages.map((message) => cleanMessage(message, cleaner, '/messages/*', ids)),
      }
    }
    case 'run.restored':
      return { ...fact, state: cleanRestored(fact.state, cleaner) }
    case 'turn.interrupted':
    case 'call.held':
    case 'approval.lapsed':
    case 'deadline.passed':
    case 'drain.passed':
    case 'run.resumed':
    case 'record.copied':
    case 'run.cancelled':
      return fact
  }
}

/** Cleans the texts of people, models and tools in a restored state; its ids and numbers are the runtime's. */
function cleanRestored(state: RestoredState, cleaner: JsonCleaner): RestoredState {
  const { calls, sent, unsettled } = state
  const call = (entry: CallEntry): CallEntry => ({
    ...entry,
    args: cleaner.json(entry.args, '/state/calls/*/args'),
    ...(entry.proposed !== undefined && {
      proposed: cleaner.json(entry.proposed, '/state/calls/*/proposed'),
    }),
    ...(entry.result !== undefined && { result: cleaner.json(entry.result, '/state/calls/*/result') }),
    ...(entry.elicitation !== undefined && {
      elicitation: cleaner.json(
        asJson(entry.elicitation),
        '/state/calls/*/elicitation',
      ) as unknown as NonNullable<CallEntry['elicitation']>,
    }),
    ...(entry.agent !== undefined && {
      agent: { ...entry.agent, input: cleaner.json(entry.agent.input, '/state/calls/*/input') },
    }),
  })
  return {
    ...state,
    input: cleaner.json(state.input, '/state/input'),
    variables: cleaner.json(state.variables, '/state/variables'),
    memory: cleanItems(state.memory, cleaner, '/state/memory/*'),
    steering: state.steering.map((one) => ({ ...one, text: cleaner.text(one.text, '/state/steering/*') })),
    named: cleaner.json(state.named, '/state/named'),
    calls: calls.map(call),
    sent: sent.map(call),
    unsettled: unsettled.map(call),
    ...(state.denied !== undefined && {
      denied: state.denied.map((one) => ({
        ...one,
        args: cleaner.json(one.args, '/state/denied/*/args'),
        ...(one.why !== undefined && { why: cleaner.text(one.why, '/state/denied/*/why') }),
      })),
    }),
    partial: state.partial === null ? null : cleaner.text(state.partial, '/state/partial'),
    sent_by_origin: state.sent_by_origin.map((one) => ({
      ...one,
      args: cleaner.json(one.args, '/state/sent_by_origin/*/args'),
      ...(one.result !== undefined && {
        result: cleaner.json(one.result, '/state/sent_by_origin/*/result'),
      }),
    })),
  }
}

/** Returns the arguments of a person for a call. */
function cleanArguments(
  { call_id }: FactOf<'person.decided'>,
  given: JsonObject,
  program: Program,
  { calls }: RunState,
  cleaner: JsonCleaner,
  options: CleanOptions,
) {
  const args: JsonObject = cleaner.json(given, '/arguments')
  const tool = calls.find(({ id }) => id === call_id)?.tool
  const check = tool === undefined ? undefined : program.checkArguments.get(tool)
  return { arguments: args, ...fitting(check, args, given, options) }
}

/** Returns the answers of a person to the server of a call. */
function cleanAnswers(
  { call_id }: FactOf<'person.decided'>,
  given: QuestionAnswers,
  { calls }: RunState,
  cleaner: JsonCleaner,
  { reveal }: CleanOptions,
) {
  const answers = cleaner.json(asJson(given), '/answers') as unknown as QuestionAnswers
  const asked = calls.find(({ id }) => id === call_id)?.elicitation
  if (asked === undefined) return { answers }
  const real = reveal(asJson(given)) as unknown as QuestionAnswers
  const questions = reveal(asJson(asked.questions)) as unknown as typeof asked.questions
  const isHidden = !isDeepStrictEqual(real, answers) || !isDeepStrictEqual(questions, asked.questions)
  return { answers, ...(isHidden && checkAnswers({ questions }, real).ok && { fits: true as const }) }
}

/** Returns whether the real value matches its schema, if the recorded value is a different one. */
function fitting(
  check: Check | null | undefined,
  clean: Json,
  given: Json,
  { reveal }: CleanOptions,
): { readonly fits?: true } {
  if (check === null || check === undefined) return {}
  // Placeholders from earlier facts are replaced as well.
  const real = reveal(given)
  return real !== clean && check(real) === null ? { fits: true } : {}
}

function cleanAnswer(
  message: AssistantMessage,
  program: Program,
  cleaner: JsonCleaner,
  options: CleanOptions,
  seq: number,
): AssistantMessage {
  const text = cleaner.text(message.text, '/message/text')
  const calls = message.calls.map((given, index) => {
    const id = cleanId(given.id, cleaner, '/message/calls/*/id', `${seq}_${index}`)
    const call = id === given.id ? given : { ...given, id }
    const clean = cleanCall(call, cleaner, '/message/calls/*')
    const fits = fitting(program.checkArguments.get(call.tool), clean.args, call.args, options)
    return fits.fits === true ? { ...clean, ...fits } : clean
  })
  const same = text === message.text && calls.every((call, index) => call === message.calls[index])
  if (same && message.opaque === undefined) return message
  const { opaque, ...rest } = message
  return { ...rest, text, calls, ...cleanOpaque(opaque, cleaner, options) }
}

/**
 * Returns the id of a call without personal data. The provider only compares ids, and a placeholder has characters that
 * some providers do not accept, so the id is replaced by another one.
 * @param place unique in the run
 */
function cleanId(id: string, cleaner: JsonCleaner, at: string, place: string): string {
  return cleaner.text(id, at) === id ? id : `call_replaced_${place}`
}

/** Parts that only the provider understands are signed and cannot be changed: they are kept whole or removed. */
function cleanOpaque(
  opaque: AssistantMessage['opaque'],
  cleaner: JsonCleaner,
  { standIn }: CleanOptions,
): Pick<AssistantMessage, 'opaque'> {
  if (opaque === undefined) return {}
  const clean = cleaner.json(opaque.parts, '/message/opaque')
  return standIn !== null && clean !== opaque.parts ? {} : { opaque }
}

function cleanCall(call: ToolCall, cleaner: JsonCleaner, at: string): ToolCall {
  const before = cleaner.total()
  const args: JsonObject = cleaner.json(call.args, `${at}/args`)
  const malformed = call.malformed === undefined ? undefined : cleaner.text(call.malformed, `${at}/malformed`)
  const tool = cleaner.text(call.tool, `${at}/tool`)
  if (cleaner.total() === before) return call
  return {
    ...call,
    tool,
    args,
    ...defined({ malformed }),
    personal: true,
  }
}

/** Cleans a message of a conversation that a parent passes on; it already follows the parent's own policy. */
function cleanMessage(message: Message, cleaner: JsonCleaner, at: string, ids: Map<string, string>): Message {
  // A call and its result have the same id.
  const idOf = (id: string): string => {
    const known = ids.get(id) ?? cleanId(id, cleaner, `${at}/id`, `before_${ids.size}`)
    ids.set(id, known)
    return known
  }
  switch (message.role) {
    case 'user':
      return { ...message, text: cleaner.text(message.text, `${at}/text`) }
    case 'assistant':
      return {
        ...message,
        text: cleaner.text(message.text, `${at}/text`),
        calls: message.calls.map((call) =>
          cleanCall({ ...call, id: idOf(call.id) }, cleaner, `${at}/calls/*`),
        ),
      }
    case 'tool':
      return {
        ...message,
        call_id: idOf(message.call_id),
        result: cleaner.json(message.result, `${at}/result`),
      }
  }
}

function cleanItems(items: readonly MemoryItem[], cleaner: JsonCleaner, at: string): readonly MemoryItem[] {
  return items.map((item) => ({
    ...item,
    key: cleaner.text(item.key, `${at}/key`),
    content: cleaner.text(item.content, `${at}/content`, item.key),
  }))
}
