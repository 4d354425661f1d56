import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { WaybillError } from '../../document/issue.ts'
import type { Io } from '../io.ts'

/**
 * Writes a file completely or not at all: writes a temporary file next to it, then renames it. Writes directly to a
 * device or a pipe.
 * @param mode mode of a new file; an existing file keeps its mode
 * @throws FILE_UNWRITABLE; the error of the file system if the disk is full
 */
export function writeWhole(file: string, contents: Uint8Array | string, io: Io, mode = 0o666): void {
  const path = resolve(io.cwd, file)
  const temporary = `${path}.${process.pid}.new`
  try {
    const existing = statSync(path, { throwIfNoEntry: false })
    if (existing?.isFile() === false) {
      writeFileSync(path, contents)
      return
    }
    writeFileSync(temporary, contents, { mode: existing === undefined ? mode : existing.mode & 0o777 })
    renameSync(temporary, path)
  } catch (cause) {
    if (existsSync(temporary)) rmSync(temporary)
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT') throw cause
    throw new WaybillError('FILE_UNWRITABLE', {
      fault: 'usage',
      file,
      message: `the file cannot be written: ${code}`,
      hint: 'check that the folder exists and that you may write to it',
      cause,
    })
  }
}
