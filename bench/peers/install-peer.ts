import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Installs a peer from its lock file, unless it is installed. */
export function installPeer(peer: string): void {
  const folder = join(import.meta.dirname, peer)
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (Object.keys(dependencies).every((name) => existsSync(join(folder, 'node_modules', name)))) return
  process.stderr.write(`installing ${peer}, once\n`)
  const { status, stderr } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`npm ci failed in ${folder}:\n${stderr}`)
}
