import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { WaybillError } from '../../document/issue.ts'
import { messageOf } from '../../document/message-of.ts'
import { assertRegularFile } from '../../document/read-file.ts'
import type { Extension } from '../../run/extension.ts'
import { checkExtension } from './check-extension.ts'

/**
 * Loads an extension of the operator (JavaScript or TypeScript) and runs its code: only pass a path from the operator's
 * configuration, never one from a document or a project.
 * @throws EXTENSION_UNREADABLE, EXTENSION_INVALID
 */
export async function loadExtension(path: string): Promise<Extension> {
  const file = resolve(path)
  let exported: Record<string, unknown>
  try {
    // Loading a pipe would wait for its writer.
    assertRegularFile(file)
    exported = await import(pathToFileURL(file).href)
  } catch (error) {
    throw new WaybillError('EXTENSION_UNREADABLE', {
      fault: 'usage',
      file,
      message: `the extension cannot be loaded: ${messageOf(error)}`,
      hint: 'check the path in the configuration (extensions), which is relative to its folder, and the module',
      cause: error,
    })
  }
  return checkExtension(exported.extension ?? exported.default, file)
}
