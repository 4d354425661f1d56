/**
 * Adds to package-lock.json the builds for other platforms that npm left out: `npm run lock:complete`. npm omits an
 * optional package that its registry does not have, and `npm ci` then refuses the lock file on every platform. The
 * added entries have no checksum, and are only fetched on their own platform.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { completeLockfile, type Lockfile } from './lockfile.ts'

const path = join(import.meta.dirname, '../package-lock.json')
const text = readFileSync(path, 'utf8')
const { lockfile, added } = completeLockfile(JSON.parse(text) as Lockfile)
if (added.length > 0) writeFileSync(path, `${JSON.stringify(lockfile, null, 2)}\n`)
process.stdout.write(`${added.length} added\n${added.map((name) => `  ${name}\n`).join('')}`)
