import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { drive } from '../../src/run/drive/drive.ts'
import { encodeEvent } from '../../src/run/record/event-line.ts'
import type { RunHeader } from '../../src/run/record/run-header.ts'
import { RunStore } from '../../src/run/record/run-store.ts'
import { calls, modelOf, portsOf, programOf, text, toolsOf } from './fixture.ts'

const root = mkdtempSync(join(tmpdir(), 'waybill-store-'))
after(() => rmSync(root, { recursive: true, force: true }))

const program = programOf()

function header(runId: string): RunHeader {
  return {
    v: 1,
    run_id: runId,
    agent_id: program.plan.agent_id,
    agent_name: 'Clerk',
    created_at: '2026-01-01T00:00:00.000Z',
    plan_hash: program.hash,
    rehearsal: false,
  }
}

async function finishedRun(store: RunStore, runId: string) {
  const run = store.create(header(runId), program.plan)
  const model = modelOf(calls(['a', 'look', { x: 1 }]), text('done'))
  const ports = { ...portsOf(model, toolsOf({ look: () => ({ y: 'ü'.repeat(50) }) })), sink: run.sink }
  const state = await drive(program, run.state, { type: 'run.started', input: 'hi' }, ports)
  run.close()
  return state
}

describe('the record of a run', () => {
  test('what is read back is the state that was reached, and files are their owner’s alone', async () => {
    const store = new RunStore(join(root, 'a'))
    const state = await finishedRun(store, 'run-1')
    const read = store.read('run-1')
    assert.deepEqual(JSON.parse(JSON.stringify(read.state)), JSON.parse(JSON.stringify(state)))
    assert.deepEqual(read.plan, JSON.parse(JSON.stringify(program.plan)))
    assert.equal(statSync(join(root, 'a', 'run-1')).mode & 0o777, 0o700)
    for (const name of readdirSync(join(root, 'a', 'run-1'))) {
      assert.equal(statSync(join(root, 'a', 'run-1', name)).mode & 0o077, 0, name)
    }
  })

  test('a run that was being made when its process died is none, and can be made again', async () => {
    const folder = join(root, 'half')
    const store = new RunStore(folder)
    await finishedRun(store, 'run-0')
    const half = join(folder, '.new', 'run-1.999999999')
    mkdirSync(half)
    writeFileSync(join(half, 'run.json'), '{}')
    assert.deepEqual(store.list(), ['run-0'])
    await finishedRun(store, 'run-1')
    assert.deepEqual(store.list(), ['run-1', 'run-0'])
    assert.deepEqual(readdirSync(join(folder, '.new')), [])
  })

  test('a line that a crash cut short is dropped, wherever it was cut', async () => {
    const store = new RunStore(join(root, 'b'))
    await finishedRun(store, 'whole')
    const bytes = readFileSync(join(root, 'b', 'whole', 'events.ndjson'))
    const ends = [...bytes.keys()].filter((index) => bytes[index] === 0x0a)
    for (let cut = 1; cut < bytes.length; cut += 17) {
      const id = `cut-${cut}`
      store.create(header(id), program.plan).close()
      writeFileSync(join(root, 'b', id, 'events.ndjson'), bytes.subarray(0, cut))
      const whole = ends.filter((end) => end < cut).length
      const run = store.open(id)
      assert.equal(run.state.seq, whole)
      run.sink.append([{ seq: whole + 1, at: 1, fact: { type: 'deadline.passed' }, decision: {} }], false)
      run.close()
      assert.equal(store.events(id).length, whole + 1)
    }
  })

  test('damage inside the record is an error that says where, and nothing is lost by looking', async () => {
    const store = new RunStore(join(root, 'c'))
    await finishedRun(store, 'run-1')
    const file = join(root, 'c', 'run-1', 'events.ndjson')
    const lines = readFileSync(file, 'utf8').split('\n')
    lines.splice(1, 1)
    writeFileSync(file, lines.join('\n'))
    const before = readFileSync(file)
    assert.throws(() => store.open('run-1'), { code: 'RUN_DAMAGED', message: /event 2/ })
    assert.deepEqual(readFileSync(file), before)
    assert.equal(store.isLive('run-1'), false)
  })

  test('storage grows with what happened, not with the square of it', async () => {
    const store = new RunStore(join(root, 'd'))
    const size = async (n: number) => {
      const long = programOf({ orchestration: { max_iterations: 1000 } })
      const run = store.create(header(`n-${n}`), long.plan)
      const script = Array.from({ length: n }, (_, i) => calls([`c${i}`, 'look', { x: i }]))
      const ports = {
        ...portsOf(modelOf(...script, text('done')), toolsOf({ look: () => 1 })),
        sink: run.sink,
      }
      await drive(long, run.state, { type: 'run.started', input: 'hi' }, ports)
      run.close()
      return statSync(join(root, 'd', `n-${n}`, 'events.ndjson')).size
    }
    const [hundred, fourHundred] = [await size(100), await size(400)]
    assert.ok(fourHundred < hundred * 4.3, `${hundred} then ${fourHundred}`)
    assert.ok(hundred / 100 < 900, `${hundred / 100} bytes an iteration`)
  })

  test('one process at a time: a live one is respected, a dead one’s run is taken over', async () => {
    const store = new RunStore(join(root, 'e'))
    store.create(header('held'), program.plan).close()
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `const { RunStore } = await import(${JSON.stringify(new URL('../../src/run/record/run-store.ts', import.meta.url).href)});
         new RunStore(${JSON.stringify(join(root, 'e'))}).open('held'); console.log('open'); setInterval(() => {}, 1000)`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    await new Promise((resolve) => child.stdout.once('data', resolve))
    assert.ok(store.isLive('held'))
    assert.throws(() => store.open('held'), { code: 'RUN_LOCKED', message: new RegExp(String(child.pid)) })
    assert.throws(() => store.remove('held'), { code: 'RUN_LOCKED' })
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    assert.equal(store.isLive('held'), false)
    const run = store.open('held')
    assert.throws(() => store.open('held'), { code: 'RUN_LOCKED' })
    run.close()
    store.open('held').close()
  })

  test('a prefix names a run when it is unique, and no name leads out of the folder', async () => {
    const store = new RunStore(join(root, 'f'))
    for (const id of ['aa-1', 'aa-2', 'b-1']) store.create(header(id), program.plan).close()
    assert.equal(store.resolve('b'), 'b-1')
    assert.throws(() => store.resolve('aa'), { code: 'RUN_AMBIGUOUS' })
    assert.throws(() => store.resolve('c'), { code: 'RUN_NOT_FOUND' })
    assert.throws(() => store.read('../f/b-1'), { code: 'RUN_NOT_FOUND' })
    assert.deepEqual(store.list(), ['b-1', 'aa-2', 'aa-1'])
    store.remove('b-1')
    assert.deepEqual(store.list(), ['aa-2', 'aa-1'])
  })

  test('an empty or half-written record can be resumed', () => {
    const store = new RunStore(join(root, 'g'))
    store.create(header('new'), program.plan).close()
    const file = join(root, 'g', 'new', 'events.ndjson')
    appendFileSync(
      file,
      encodeEvent({ seq: 1, at: 5, fact: { type: 'run.started', input: 'x' }, decision: {} }),
    )
    assert.equal(store.read('new').state.seq, 0)
    truncateSync(file)
    assert.equal(store.open('new').state.seq, 0)
  })
})
