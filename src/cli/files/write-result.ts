import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { WaybillError } from '../../document/issue.ts'
import type { Io } from '../io.ts'

/**
 * Writes a file whole or not at all: beside it first, then moved into place. A device or a pipe is written to directly.
 * @param mode of a new file; an existing one keeps its mode
 * @throws FILE_UNWRITABLE; DISK_FULL is thrown as the file system reports it
 */
export function writeWhole(file: string, contents: Uint8Array | string, io: Io, mode = 0o666): void {
  const path = resolve(io.cwd, file)
  const beside = `${path}.${process.pid}.new`
  try {
    const there = statSync(path, { throwIfNoEntry: false })
    if (there?.isFile() === false) {
      writeFileSync(path, contents)
      return
    }
    writeFileSync(beside, contents, { mode: there === undefined ? mode : there.mode & 0o777 })
    renameSync(beside, path)
  } catch (cause) {
    if (existsSync(beside)) rmSync(beside)
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT') throw cause
    throw new WaybillError('FILE_UNWRITABLE', {
      fault: 'usage',
      file,
      message: `it cannot be written: ${code}`,
      hint: 'check that the folder exists and may be written to',
      cause,
    })
  }
}
