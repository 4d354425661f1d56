import { createHash } from 'node:crypto'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../../document/issue.ts'
import { isObject, type Json } from '../../document/json.ts'
import { readFileWithin } from '../../document/read-file.ts'
import { strictJson } from '../../document/strict-json.ts'

export const MANIFEST = 'manifest.json'
const FORMAT = 1
const LARGEST = 16 * 1024 * 1024

export interface BackedUpTable {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: number
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

/** A key file of the installation, which a backup does not contain. */
export interface KeyFile {
  /** Relative to the home. */
  readonly file: string
  /** SHA-256 of its content. */
  readonly sha256: string
}

/** What a backup contains. It is written last: a folder without it is not a backup. */
export interface BackupManifest {
  readonly format: typeof FORMAT
  /** Of the product that wrote it. */
  readonly waybill: string
  /** RFC 3339: the moment whose data it contains. */
  readonly taken_at: string
  readonly migrations: readonly { readonly n: number; readonly name: string; readonly sha256: string }[]
  /** In the order in which they are loaded. */
  readonly tables: readonly BackedUpTable[]
  /** Last values of sequences. */
  readonly sequences: readonly { readonly name: string; readonly last: string }[]
  readonly keys: readonly KeyFile[]
}

/** @throws BACKUP_DAMAGED, BACKUP_NEWER */
export function readManifest(folder: string): BackupManifest {
  const file = join(folder, MANIFEST)
  if (!existsSync(file))
    throw damaged(folder, `it has no ${MANIFEST}, so it is not a backup, or one that was interrupted`)
  let value: Json
  try {
    value = strictJson(readFileWithin(file, LARGEST).toString('utf8'))
  } catch {
    throw damaged(folder, `${MANIFEST} cannot be read`)
  }
  if (!isObject(value) || typeof value.format !== 'number')
    throw damaged(folder, `${MANIFEST} is not a manifest`)
  if (value.format > FORMAT)
    throw new WaybillError('BACKUP_NEWER', {
      fault: 'usage',
      message: `the backup was written by Waybill ${String(value.waybill)}, in a form that this version does not know`,
      hint: 'restore it with that version or a later one',
    })
  const { tables, migrations, sequences, keys } = value
  if (![tables, migrations, sequences, keys].every(Array.isArray))
    throw damaged(folder, `${MANIFEST} is incomplete`)
  return value as unknown as BackupManifest
}

/** Compares all files with the manifest. @throws BACKUP_DAMAGED that names the file */
export async function assertWhole(folder: string, { tables }: BackupManifest): Promise<void> {
  for (const { file, bytes, sha256 } of tables) {
    if (!/^[a-z_]+\.rows$/.test(file))
      throw damaged(folder, `${MANIFEST} names the file ${JSON.stringify(file)}`)
    const path = join(folder, file)
    if (!existsSync(path)) throw damaged(folder, `${file} is missing`)
    if (statSync(path).size !== bytes)
      throw damaged(folder, `${file} has another size than when it was written`)
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
    if (hash.digest('hex') !== sha256) throw damaged(folder, `${file} has changed since it was written`)
  }
}

export function damaged(folder: string, why: string, cause?: unknown): WaybillError {
  return new WaybillError('BACKUP_DAMAGED', {
    fault: 'failed',
    message: `the backup in ${folder} cannot be used: ${why}`,
    hint: 'use another backup; nothing was changed',
    cause,
  })
}
