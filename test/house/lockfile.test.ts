import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { completeLockfile, type Lockfile, missingOptionals } from '../../scripts/lockfile.ts'

const root = join(import.meta.dirname, '../..')

test('the lock file holds every optional package that it names, or npm ci would refuse it', () => {
  const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile
  assert.deepEqual(
    missingOptionals(lockfile).map(({ path, version }) => `${path}@${version}: npm run lock:complete`),
    [],
  )
})

test('a missing platform build is added with the machine that it is for', () => {
  const lockfile: Lockfile = {
    packages: {
      '': {},
      'node_modules/tool': {
        version: '1.2.3',
        dev: true,
        optionalDependencies: { '@tool/linux-arm64-musl': '1.2.3', '@tool/linux-x64': '1.2.3' },
      },
      'node_modules/tool/node_modules/@tool/linux-x64': { version: '1.2.3' },
    },
  }
  const completed = completeLockfile(lockfile)
  assert.deepEqual(completed.added, ['node_modules/@tool/linux-arm64-musl'])
  assert.deepEqual(completed.lockfile.packages['node_modules/@tool/linux-arm64-musl'], {
    version: '1.2.3',
    cpu: ['arm64'],
    dev: true,
    libc: ['musl'],
    optional: true,
    os: ['linux'],
  })
})

test('a missing WebAssembly build is added for its processor, without a system', () => {
  const name = '@tool/binding-wasm32-wasi'
  const { lockfile } = completeLockfile({ packages: { '': { optionalDependencies: { [name]: '1.2.3' } } } })
  assert.deepEqual(lockfile.packages[`node_modules/${name}`], {
    version: '1.2.3',
    cpu: ['wasm32'],
    optional: true,
  })
})

test('a missing package that is not a platform build must be installed; its entry is not invented', () => {
  const packages = { '': { optionalDependencies: { extras: '1.0.0' } } }
  assert.throws(() => completeLockfile({ packages }), /extras@1\.0\.0 is missing/)
})
