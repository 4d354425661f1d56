import type { Json } from '../../../src/document/json.ts'
import { copyOf } from './samples.ts'

type Container = Record<string, unknown> | unknown[]

const STRANGE = [
  '__proto__',
  'toString',
  'constructor',
  'x-vendor',
  'X-vendor',
  'x-',
  '_comment',
  'nam',
  'lang',
  'extra',
]
const VALUES: readonly Json[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  2,
  2.0001,
  -2,
  -2.5,
  5,
  1e21,
  '',
  'x',
  'SC-006',
  '1.0.0',
  '1.0',
  [],
  ['a', 'a'],
  [1],
  {},
  { lang: 'cel' },
  { lang: 'never' },
  { lang: 'jsonlogic', expr: {} },
  'custom',
  'mtls',
  'a'.repeat(65),
]

/** Returns a copy of the document with one random change. */
export function mutate(document: Json, random: () => number): Json {
  const copy = copyOf(document)
  const containers: Container[] = []
  collect(copy, containers)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const target = pick(containers)
  const keys = Object.keys(target)
  const set = (key: string, value: unknown) =>
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  const old = keys.length === 0 ? undefined : pick(keys)
  switch (Math.floor(random() * 8)) {
    case 0:
      if (old !== undefined) Array.isArray(target) ? target.splice(Number(old), 1) : delete target[old]
      break
    case 1:
      if (!Array.isArray(target)) set(pick(STRANGE), copyOf(pick(VALUES)))
      break
    case 2:
      if (Array.isArray(target)) target.push(copyOf(target.length > 0 ? pick(target) : pick(VALUES)))
      break
    case 3:
      if (old !== undefined && !Array.isArray(target)) {
        const value = target[old]
        delete target[old]
        set(random() < 0.5 ? `${old}s` : old.toUpperCase(), value)
      }
      break
    case 4: {
      if (old === undefined) break
      const value = (target as Record<string, unknown>)[old]
      if (typeof value === 'string') set(old, random() < 0.5 ? value.toUpperCase() : `${value}x`)
      else if (typeof value === 'number') set(old, value + pick([-1, 1, 0.5, -0.001]))
      else if (typeof value === 'boolean') set(old, !value)
      break
    }
    case 5:
      if (!Array.isArray(target)) {
        const [other] = [pick(containers)]
        const name = Object.keys(other)[0]
        if (name !== undefined && !Array.isArray(other)) set(name, copyOf(other[name]))
      }
      break
    default:
      if (old !== undefined) set(old, copyOf(pick(VALUES)))
  }
  return copy
}

function collect(value: unknown, into: Container[]): void {
  if (value === null || typeof value !== 'object') return
  into.push(value as Container)
  for (const inner of Object.values(value)) collect(inner, into)
}
