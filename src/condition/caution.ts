import { Unevaluable } from './unevaluable.ts'

/**
 * How comparisons of different types are evaluated:
 * - `portable`: as each language defines it, mostly as false (AAIF §5), for conditions that only choose a route.
 * - `typed`: an order of values of different types is unevaluable, and so is an equality of values that differ only in
 *   their type (`"100"` and 100), for conditions that let something happen.
 * - `complete`: so is an order with a missing member or null, for conditions that decide whether a person is asked.
 */
export type Caution = 'portable' | 'typed' | 'complete'

/** Checks the operands of `<`, `<=`, `>` and `>=`. @throws Unevaluable */
export function checkOrder(caution: Caution, left: unknown, right: unknown): void {
  if (caution === 'portable') return
  const types = [typeOf(left), typeOf(right)]
  const [first, second] = types
  if (types.includes('nothing')) {
    if (caution === 'complete') throw unevaluable('it compares a missing member or null', types)
  } else if (first !== second || (first !== 'number' && first !== 'string'))
    throw unevaluable('it orders values of different types', types)
}

/** Checks the operands of `==`, `!=` and of a search in a list. @throws Unevaluable */
export function checkEquality(caution: Caution, left: unknown, right: unknown): void {
  if (caution === 'portable') return
  const types = [typeOf(left), typeOf(right)]
  if (types[0] === types[1] || types.includes('nothing')) return
  if (looksEqual(onlyItem(left), onlyItem(right)))
    throw unevaluable('it compares values that differ only in their type', types)
}

/** Checks the operands of an equality that converts types: whether they are equal may depend on the converting. @throws Unevaluable */
export function checkConversion(caution: Caution, left: unknown, right: unknown): void {
  const types = [typeOf(left), typeOf(right)]
  if (caution === 'complete' && types[0] !== types[1] && !types.includes('nothing'))
    throw unevaluable('it compares values of different types', types)
}

function unevaluable(reason: string, [left, right]: readonly string[]): Unevaluable {
  return new Unevaluable(`${reason} (${left} and ${right})`, 'fix the types in the schema of the tool')
}

function typeOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'list'
  return typeof value === 'bigint' ? 'number' : typeof value
}

/** A list of one item is a common spelling of the item. */
function onlyItem(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value
}

function looksEqual(left: unknown, right: unknown): boolean {
  if (typeof left === 'object' || typeof right === 'object') return false
  const [a, b] = [written(left), written(right)]
  return a === b || (a !== '' && b !== '' && Number(a) === Number(b))
}

function written(value: unknown): string {
  return String(value).trim().toLowerCase()
}
