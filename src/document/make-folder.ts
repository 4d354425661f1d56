import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and the folders above it. Not with the option `recursive` of Node, which never returns where the
 * system says that an existing parent does not exist, as below `/proc`.
 * @param mode of each folder that is created
 * @throws the errors of the file system
 */
export function makeFolder(folder: string, mode = 0o777): void {
  try {
    makeOne(folder, mode)
  } catch (error) {
    const parent = dirname(folder)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error
    makeFolder(parent, mode)
    makeOne(folder, mode)
  }
}

function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}
