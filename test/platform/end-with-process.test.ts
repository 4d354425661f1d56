import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from './leg-place.ts'

const MODULE = join(import.meta.dirname, 'end-with-process.ts')

/** Whether a process names the folder in its command line. */
function isNamed(folder: string): boolean {
  const { stdout } = spawnSync('ps', ['ax', '-o', 'args'], { encoding: 'utf8' })
  return stdout.includes(folder)
}

/** A process that works in the folder of the data, as PostgreSQL does, and one that watches over it and is killed. */
async function killedBeside(t: TestContext, pidIn: (pid: number) => number, isRemoved = false) {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-end-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const data = join(folder, 'data')
  mkdirSync(data)
  const server = spawn('sleep', ['1000'], { cwd: data, stdio: 'ignore' })
  t.after(() => server.kill('SIGKILL'))
  await once(server, 'spawn')
  writeFileSync(join(data, 'postmaster.pid'), `${pidIn(server.pid ?? 0)}\n${data}\n`)
  const watched = `import { endWithProcess } from ${JSON.stringify(MODULE)}
endWithProcess(${JSON.stringify(data)}, ${JSON.stringify(folder)})
console.log('watched')
setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', watched], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(parent.stdout, 'data')
  // As long as the process lives, so does the server.
  await sleep(500)
  assert.deepEqual([server.signalCode, existsSync(folder)], [null, true])
  if (isRemoved) rmSync(folder, { recursive: true })
  parent.kill('SIGKILL')
  await until(() => !existsSync(folder) && !isNamed(folder))
  return server
}

test('a server ends with the process that started it, also if that is killed, and its files are removed', async (t) => {
  const server = await killedBeside(t, (pid) => pid)
  await until(() => server.signalCode === 'SIGQUIT')
})

test('a process that has only got the number of the server is left alone', async (t) => {
  const other = spawn('sleep', ['1000'], { stdio: 'ignore' })
  t.after(() => other.kill('SIGKILL'))
  await once(other, 'spawn')
  await killedBeside(t, () => other.pid ?? 0)
  assert.equal(other.signalCode, null)
})

test('the watch ends if the server has ended and its files are gone', async (t) => {
  const server = await killedBeside(t, (pid) => pid, true)
  assert.equal(server.signalCode, null)
})
