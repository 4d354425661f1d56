import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeFolder } from '../../../document/make-folder.ts'
import { messageOf } from '../../../document/message-of.ts'
import { notEmbedded, notStarted } from './not-embedded.ts'
import type { Programs } from './programs.ts'
import { giveTo, type ServerUser, serverUser } from './server-user.ts'

/** The folder of an embedded server, and the paths in it. */
export interface DataFolder {
  readonly root: string
  /** The data of PostgreSQL. */
  readonly data: string
  readonly log: string
  readonly links: string
  /** Held while a process starts or stops the server. */
  readonly lock: string
  /** Held by each process that uses the server. */
  readonly users: string
  readonly user: ServerUser
}

const ENTRIES =
  /^(data|data\.new|password|port|links|(password|port)\.new|postgres\.log(\.1)?|(lock|users)(-journal)?)$/

/**
 * Opens the folder, and creates it if it does not exist.
 * @throws DATABASE_NOT_EMBEDDED if it contains other files, or belongs to another user
 */
export function openFolder(path: string): DataFolder {
  const wanted = resolve(path)
  // Not 0700: as root, `nobody` must be able to enter the folders above. They cannot be listed.
  makeFolder(dirname(wanted), 0o711)
  if (!existsSync(wanted)) mkdirSync(wanted, { mode: 0o700 })
  if (!statSync(wanted).isDirectory())
    throw notEmbedded(`${wanted} is not a folder`, 'choose another folder for the embedded PostgreSQL')
  const root = realpathSync(wanted)
  const other = readdirSync(root).find((name) => !ENTRIES.test(name))
  if (other !== undefined)
    throw notEmbedded(
      `the folder ${root} contains ${other}, which does not belong to the embedded PostgreSQL`,
      'choose a new or empty folder',
    )
  const data = join(root, 'data')
  if (existsSync(data) && !existsSync(join(data, 'PG_VERSION')) && readdirSync(data).length > 0)
    throw notEmbedded(`${data} contains no PostgreSQL database`, 'choose a new or empty folder')
  refuseOtherOwner(existsSync(data) ? data : root)
  const at = (name: string) => join(root, name)
  return {
    root,
    data,
    log: at('postgres.log'),
    links: at('links'),
    lock: at('lock'),
    users: at('users'),
    user: serverUser(data),
  }
}

/** Returns whether a database was created in this folder. */
export function hasData(path: string): boolean {
  return existsSync(join(path, 'data', 'PG_VERSION'))
}

/** Gives the folder to the user of the server alone. Call it while no other process starts the server. */
export function claimFolder({ root, data, user }: DataFolder): void {
  for (const path of existsSync(data) ? [data, root] : [root]) {
    chmodSync(path, 0o700)
    if (user.uid !== undefined && statSync(path).uid !== user.uid) giveTo(user, path)
  }
}

function refuseOtherOwner(path: string): void {
  const { uid } = statSync(path)
  const own = process.getuid?.() ?? uid
  if (own !== 0 && own !== uid)
    throw notEmbedded(
      `${path} belongs to the user with uid ${uid}, and Waybill runs as uid ${own}`,
      'start Waybill as that user, or choose another folder',
    )
}

/**
 * Creates the data of PostgreSQL with a new password, if they do not exist. They are created under another name: data
 * that a crash left half-created are never used.
 * @param durable - false if the server runs without fsync, for tests
 * @throws DATABASE_NOT_EMBEDDED
 */
export function ensureData(folder: DataFolder, programs: Programs, durable: boolean): void {
  const { root, data, user } = folder
  const version = join(data, 'PG_VERSION')
  if (existsSync(version)) {
    const major = Number(readFileSync(version, 'utf8').trim())
    if (major === programs.major) return
    throw notEmbedded(
      `the data in ${data} were written by PostgreSQL ${major}, and the installed package contains PostgreSQL ${programs.major}, which cannot read them`,
      `install the package of PostgreSQL ${major} again, dump the database with its pg_dump and restore the dump in a new folder`,
    )
  }
  const made = join(root, 'data.new')
  rmSync(made, { recursive: true, force: true })
  writeDurably(folder, 'password', randomBytes(24).toString('base64url'))
  const args = ['-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${join(root, 'password')}`, '-E', 'UTF8']
  const ended = spawnSync(
    programs.initdb,
    ['-D', made, ...args, '--locale=C', ...(durable ? [] : ['--no-sync'])],
    {
      ...user,
      cwd: root,
      env: programs.env,
      encoding: 'utf8',
    },
  )
  if (ended.status !== 0) {
    rmSync(made, { recursive: true, force: true })
    throw notStarted(root, ended.stderr || messageOf(ended.error), ended.error)
  }
  rmSync(data, { recursive: true, force: true })
  renameSync(made, data)
  sync(root)
}

/** @throws DATABASE_NOT_EMBEDDED if the password of existing data is lost */
export function readPassword({ root }: DataFolder): string {
  const path = join(root, 'password')
  const password = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (password !== '') return password
  throw notEmbedded(
    `${path}, the password of the embedded PostgreSQL, is missing or empty`,
    'restore the file from a backup of the folder',
  )
}

/** Returns the port that the server had last. */
export function readPort({ root }: DataFolder): number | null {
  const path = join(root, 'port')
  const port = existsSync(path) ? Number(readFileSync(path, 'utf8')) : Number.NaN
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null
}

export function writePort(folder: DataFolder, port: number): void {
  writeDurably(folder, 'port', String(port))
}

/** Writes a file that is complete or absent after a crash or on a full disk. */
function writeDurably({ root, user }: DataFolder, name: string, text: string): void {
  const path = join(root, `${name}.new`)
  rmSync(path, { force: true })
  writeFileSync(path, text, { mode: 0o600, flush: true, flag: 'wx' })
  giveTo(user, path)
  renameSync(path, join(root, name))
  sync(root)
}

function sync(folder: string): void {
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
