import { isAbsolute, relative, sep } from 'node:path'
import type { Json } from '../document/json.ts'

/** Makes all absolute paths relative to the folder of the definition, so that the folder can be moved. */
export function portable(value: unknown, folder: string | undefined): Json {
  const { stringify, parse } = JSON
  return parse(
    stringify(value, (_, member: unknown) =>
      folder !== undefined &&
      typeof member === 'string' &&
      isAbsolute(member) &&
      member.length < 4096 &&
      !member.includes('\n')
        ? relativePath(folder, member)
        : member,
    ),
  ) as Json
}

function relativePath(folder: string, path: string): string {
  const inside = relative(folder, path).split(sep).join('/')
  return inside === '..' || inside.startsWith('../') ? path : `./${inside}`
}
