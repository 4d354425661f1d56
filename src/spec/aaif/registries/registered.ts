import { createRequire } from 'node:module'
import type { Json } from '../../../document/json.ts'
import { lazyModule } from '../../../document/lazy-module.ts'
import type { ExtensionPoint } from './extension-points.ts'
import type * as Values from './registered-values.ts'

const require = createRequire(import.meta.url)
const loadValues = lazyModule<typeof Values>(() => require('./registered-values.ts'))

/** The registries in use. They are loaded on first use, because most definitions use only values of the schema. */
export interface Registered {
  /** True if the operator loaded registries, which may differ from the schema. */
  readonly own: boolean
  readonly statusOf: (point: ExtensionPoint, id: string) => Values.EntryStatus | undefined
}

/** @throws WaybillError if a loaded registry is invalid; a partly valid registry is never used. */
export function registered(loaded: readonly Json[] = []): Registered {
  let values: ReturnType<typeof Values.registeredValues> | undefined
  const read = () => {
    values ??= loadValues().registeredValues(loaded)
    return values
  }
  if (loaded.length > 0) read()
  return { own: loaded.length > 0, statusOf: (point, id) => read().get(point)?.get(id) }
}
