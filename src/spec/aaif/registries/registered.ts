import { createRequire } from 'node:module'
import type { Json } from '../../../document/json.ts'
import { lazyModule } from '../../../document/lazy-module.ts'
import type { ExtensionPoint } from './extension-points.ts'
import type * as Values from './registered-values.ts'

const require = createRequire(import.meta.url)
const loadValues = lazyModule<typeof Values>(() => require('./registered-values.ts'))

/** The registries in force. Most definitions use words of the schema only, so nothing is loaded before it is asked. */
export interface Registered {
  /** Whether the operator brought registries of their own, which may say otherwise than the schema. */
  readonly own: boolean
  readonly statusOf: (point: ExtensionPoint, id: string) => Values.EntryStatus | undefined
}

/** @throws WaybillError at once when a loaded registry is invalid: half a registry must not judge. */
export function registered(loaded: readonly Json[] = []): Registered {
  let values: ReturnType<typeof Values.registeredValues> | undefined
  const read = () => {
    values ??= loadValues().registeredValues(loaded)
    return values
  }
  if (loaded.length > 0) read()
  return { own: loaded.length > 0, statusOf: (point, id) => read().get(point)?.get(id) }
}
