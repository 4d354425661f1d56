import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { WaybillError } from '../../src/document/issue.ts'

/** Makes a folder that is removed after the test. @returns its path and a function that writes a file into it */
export function folderOf(t: TestContext): {
  readonly folder: string
  readonly write: (name: string, text: string) => string
} {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-settings-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    write(name, text) {
      const path = join(folder, name)
      writeFileSync(path, text)
      return path
    },
  }
}

/** @returns the error that a function throws */
export function errorOf(act: () => unknown): WaybillError {
  try {
    act()
  } catch (error) {
    if (error instanceof WaybillError) return error
    throw error
  }
  throw new Error('no error was thrown')
}
