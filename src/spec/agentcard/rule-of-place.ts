import { type PlaceTable, ruleAt } from '../aaif/place-table.ts'

/** Maps the pointer of a schema error of a card to the requirement that it breaks. */

const MISSING: PlaceTable = [
  [/^\/endpoint\/(protocol|url)$/, 'CARD-2.5-01'],
  [/^\/capabilities\/\*\/id$/, 'CARD-2.4-03'],
  [/^\/goal_subscriptions\/\*\/goal_id$/, 'CARD-2.8-01'],
]

const VALUES: PlaceTable = [
  [/^\/agent_id$/, 'CARD-5-02'],
  [/^\/name$/, 'CARD-2.2-01'],
  [/^\/version$/, 'CARD-2.3-01'],
  [/^\/capabilities$/, 'CARD-2.4-01'],
  [/^\/capabilities\/\*\/id$/, 'CARD-2.4-03'],
  [/^\/endpoint\/protocol$/, 'CARD-2.5-02'],
  [/^\/endpoint\/auth\/scheme$/, 'CARD-2.5-04'],
  [/^\/pricing\/base_cost_joules$/, 'CARD-2.6-01'],
  [/^\/pricing\/per_token_joules$/, 'CARD-2.6-04'],
  [/^\/metadata\/pacr:trust_tier$/, 'CARD-2.7-03'],
  [/^\/goal_subscriptions\/\*\/priority$/, 'CARD-2.8-02'],
]

const TYPES: PlaceTable = [
  [/^$/, 'CARD-2-03'],
  [/^\/capabilities\/\*\/(input|output)_schema$/, 'CARD-2.4-07'],
  [/^\/capabilities\/\*\/tags/, 'CARD-2.4-09'],
  [/^\/metadata\/pacr:substrate_scope$/, 'CARD-2.7-05'],
  [/^\/goal_subscriptions\/\*\/goal_id$/, 'CARD-2.8-01'],
]

export const ruleOfMissing = (pointer: string): string => ruleAt(pointer, MISSING, 'CARD-2-01')
export const ruleOfValue = (pointer: string): string => ruleAt(pointer, VALUES, 'CARD-2-04')
export const ruleOfType = (pointer: string): string => ruleAt(pointer, TYPES, 'CARD-2-04')
