import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { MAX_BYTES } from '../../document/read-document.ts'
import { readFileWithin } from '../../document/read-file.ts'
import type { Io } from '../io.ts'

/** Names the `.env` of the current folder in a hint about a missing key, if that file sets the key. */
export function withEnvFile(hint: string, io: Pick<Io, 'cwd'>): string {
  const name = /`export (\w+)=/.exec(hint)?.[1]
  return name !== undefined && setsKey(resolve(io.cwd, '.env'), name)
    ? `add --env-file .env: the .env in this folder sets ${name}`
    : hint
}

function setsKey(path: string, name: string): boolean {
  try {
    return Object.hasOwn(parseEnv(readFileWithin(path, MAX_BYTES).toString('utf8')), name)
  } catch {
    return false
  }
}
