import { randomBytes } from 'node:crypto'
import type { Json } from '../../document/json.ts'
import { mapTexts } from '../../document/map-texts.ts'
import type { Plan, PlannedPii } from '../../plan/plan.ts'
import { JsonCleaner, type StandIn } from '../../policy/pii/clean-json.ts'
import { createPiiFinder, type PiiFinder } from '../../policy/pii/find-pii.ts'
import { withheldText, withoutPlaceholders } from '../../policy/pii/placeholder.ts'
import { mayHoldSealed, openValue, SEALED, sealValue } from '../../policy/pii/sealed-value.ts'
import { cleanFact } from './clean-fact.ts'
import type { PiiPort, TextGate } from './pii-port.ts'
import type { PiiValues } from './pii-values.ts'

export type PiiFinders = WeakMap<PlannedPii, PiiFinder>

interface Handling {
  readonly find: PiiFinder
  readonly standIn: StandIn
}

/**
 * Handles personal data as each plan says. All agents of a run share the placeholders, so that a parent and its
 * sub-agents use the same ones.
 * @param key the operator's; absent in a rehearsal, which uses a key that is not stored
 * @param finders cache for all runs of the same plans: the operator's patterns are compiled once
 */
export function createPiiHandler(
  values: PiiValues,
  key: Buffer | undefined,
  finders: PiiFinders = new WeakMap(),
): PiiPort {
  const handlings = new WeakMap<Plan, Handling | null>()
  let sealing = key

  const standInFor = ({ handling }: PlannedPii): StandIn => {
    switch (handling) {
      case 'none':
      case 'detect':
        return null
      case 'anonymize':
        return (finding) => values.placeholder(finding)
      case 'encrypt':
        sealing ??= randomBytes(32)
        return ({ value }) => sealValue(value, sealing as Buffer)
      case 'reject':
        return ({ kind }) => withheldText(kind)
    }
  }
  const finderOf = (pii: PlannedPii): PiiFinder => {
    const finder = finders.get(pii) ?? createPiiFinder(pii)
    finders.set(pii, finder)
    return finder
  }
  const handlingOf = (plan: Plan): Handling | null => {
    const known = handlings.get(plan)
    if (known !== undefined) return known
    const { pii } = plan
    const handling =
      pii === undefined || pii.handling === 'none' ? null : { find: finderOf(pii), standIn: standInFor(pii) }
    handlings.set(plan, handling)
    return handling
  }
  const revealText = (text: string): string => {
    const plain = values.reveal(text)
    if (sealing === undefined || !mayHoldSealed(plain)) return plain
    return plain.replace(SEALED, (sealed) => openValue(sealed, sealing as Buffer) ?? sealed)
  }
  const reveal = <T extends Json>(value: T): T =>
    values.isEmpty() && sealing === undefined ? value : mapTexts(value, revealText)

  return {
    clean(fact, program, state) {
      const handling = handlingOf(program.plan)
      if (handling === null) return fact
      return cleanFact(fact, program, state, { ...handling, reveal })
    },
    reveal,
    lasting: (value) => mapTexts(value, withoutPlaceholders),
    stream(plan, emit) {
      const handling = handlingOf(plan)
      if (handling === null || handling.standIn === null) return { push: emit, flush: () => {} }
      return plan.pii?.handling === 'reject' ? null : byLines(handling, emit)
    },
  }
}

/**
 * Passes text on line by line, because personal data that is split between two pieces would not be found in either.
 */
function byLines({ find, standIn }: Handling, emit: (text: string) => void): TextGate {
  let held = ''
  const give = (text: string) => {
    if (text === '') return
    emit(new JsonCleaner(find, standIn).text(text, ''))
  }
  return {
    push(delta) {
      held += delta
      const end = held.lastIndexOf('\n') + 1
      if (end === 0) return
      give(held.slice(0, end))
      held = held.slice(end)
    },
    flush() {
      give(held)
      held = ''
    },
  }
}
