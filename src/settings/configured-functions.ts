import { dirname, resolve } from 'node:path'
import { WaybillError } from '../document/issue.ts'
import { escapeStep } from '../document/json-pointer.ts'
import type { ConfigFunctions } from './config-schema.ts'

/** Variables of the installation itself, and those with which Node loads other code. */
const REFUSED = /^(?:WAYBILL_.*|DATABASE_URL|PG[A-Z]+|NODE_.*|LD_.*|DYLD_.*)$/

/**
 * Returns modules of functions with absolute paths, relative to the folder of the configuration.
 * @throws CONFIG_INVALID if a module gets a variable of the installation
 */
export function functionsAt(
  functions: Readonly<Record<string, ConfigFunctions>>,
  config: string,
): Readonly<Record<string, ConfigFunctions>> {
  const at = (path: string) => resolve(dirname(config), path)
  return Object.fromEntries(
    Object.entries(functions).map(([name, settings]) => {
      const refused = settings.env?.findIndex((variable) => REFUSED.test(variable)) ?? -1
      if (refused >= 0)
        throw new WaybillError('CONFIG_INVALID', {
          fault: 'usage',
          file: config,
          at: `/functions/${escapeStep(name)}/env/${refused}`,
          message: `the module ${name} may not get the variable ${settings.env?.[refused]}, which belongs to the installation`,
          hint: 'give the functions a variable of their own',
        })
      const { module, read, write } = settings
      return [
        name,
        {
          ...settings,
          module: at(module),
          ...(read !== undefined && { read: read.map(at) }),
          ...(write !== undefined && { write: write.map(at) }),
        },
      ]
    }),
  )
}
