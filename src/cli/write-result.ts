import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { WaybillError } from '../document/issue.ts'
import type { Io } from './io.ts'

/**
 * Writes a file whole or not at all: beside it first, then moved into place. An existing file keeps its mode.
 * @throws FILE_UNWRITABLE
 */
export function writeWhole(file: string, contents: Uint8Array | string, io: Io): void {
  const path = resolve(io.cwd, file)
  const beside = `${path}.${process.pid}.new`
  try {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode
    writeFileSync(beside, contents, mode === undefined ? {} : { mode: mode & 0o777 })
    renameSync(beside, path)
  } catch (cause) {
    rmSync(beside, { force: true })
    throw new WaybillError('FILE_UNWRITABLE', {
      fault: 'usage',
      file,
      message: `it cannot be written: ${(cause as NodeJS.ErrnoException).code}`,
      hint: 'check that the folder exists and may be written to',
      cause,
    })
  }
}
