import { readdirSync } from 'node:fs'
import { WaybillError } from '../document/issue.ts'
import { whyUnreadable } from '../document/why-unreadable.ts'

/**
 * Returns the names of the files in a folder of the home; none if the folder does not exist. A folder that cannot be
 * read is not taken for an empty one: it may contain keys and revocations.
 * @throws HOME_UNREADABLE
 */
export function namesInFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    throw new WaybillError('HOME_UNREADABLE', {
      fault: 'usage',
      file: folder,
      message: `the home of Waybill cannot be read: ${code === 'ENOTDIR' ? 'it is not a folder' : whyUnreadable(cause)}`,
      hint: 'let this user read the folder and the files in it, or set WAYBILL_HOME to another folder',
      cause,
    })
  }
}
