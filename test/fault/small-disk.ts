import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { permits } from './fault-site.ts'

/** A separate file system at a folder, visible only to commands with this prefix. */
export interface SmallDisk {
  readonly prefix: readonly string[]
  /** Fills it until this many bytes are free. */
  leave(bytes: number): void
  /** Removes what {@link leave} has written. */
  clear(): void
  /** Remounts it read-only or writable. */
  remount(how: 'ro' | 'rw'): Promise<void>
}

export const mayMount = () => permits('unshare', '--mount', '--propagation', 'private')

/** Mounts a file system in memory in a namespace that ends with the test. */
export async function smallDisk(
  t: TestContext,
  folder: string,
  at: string,
  bytes: number,
  mode = '700',
): Promise<SmallDisk> {
  mkdirSync(at, { recursive: true, mode: 0o700 })
  const script = 'mount -t tmpfs -o "size=$1,mode=$2" tmpfs "$0" && echo ready && exec sleep 3600'
  const holder = spawn(
    'unshare',
    ['--mount', '--propagation', 'private', 'sh', '-c', script, at, String(bytes), mode],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  t.after(() => holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  const inside = `/proc/${holder.pid}/root${at}`
  const enter = ['nsenter', '--mount', '--target', String(holder.pid)]
  const ballast = join(inside, 'ballast')
  return {
    prefix: [...enter, 'sh', '-c', 'cd "$0" && exec "$@"', folder],
    leave(free) {
      const { bavail, bsize } = statfsSync(inside)
      try {
        writeFileSync(ballast, Buffer.alloc(bavail * bsize - free))
      } catch (error) {
        // Another process has taken the space meanwhile.
        if ((error as { readonly code?: string }).code !== 'ENOSPC') throw error
      }
    },
    clear: () => rmSync(ballast, { force: true }),
    async remount(how) {
      const [command = '', ...args] = [...enter, 'mount', '-o', `remount,${how}`, at]
      const [code] = await once(spawn(command, args, { stdio: 'inherit' }), 'close')
      assert.equal(code, 0)
    },
  }
}
