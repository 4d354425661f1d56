import { generateKeyPairSync } from 'node:crypto'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteRecords } from '../../../src/adapters/records/sqlite/open-sqlite-records.ts'
import { type Driven, drive, fact, newRun, started } from '../../../src/testing/contracts/records-fixture.ts'

/** A test process with limited disk, permissions or file descriptors; prints its observations as JSON. */
const [mode, folder = '', argument = ''] = process.argv.slice(2)
const { privateKey } = generateKeyPairSync('ed25519')
const open = (home = join(folder, 'home')) => openSqliteRecords(home, { signAudit: () => privateKey })

async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work()
    return 'ok'
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return code ?? `no code: ${message}`
  }
}

/** Fills the disk except for some KB, writes until it is full, frees space, and continues. */
async function fullDisk(): Promise<object> {
  const filler = join(folder, 'filler')
  fill(filler, Number(argument))
  const records = open()
  const codes = new Set<string>()
  let run: Driven | undefined
  let acknowledged = 0
  for (let tries = 0; tries < 2000; tries++) {
    const code = await codeOf(async () => {
      if (run === undefined) run = await drive(records, newRun('r1'))
      else if (run.state.seq === 0)
        await run.append({ ...started('r1'), input: 'x'.repeat(3000) }, {}, { durable: true })
      else
        await run.append(
          { type: 'run.paused', by: 'x', partial: 'x'.repeat(3000) },
          {},
          { durable: tries % 2 === 0, audit: [fact('paused')] },
        )
      acknowledged = run.state.seq
    })
    if (code === 'ok') continue
    codes.add(code)
    if (codes.size > 0 && tries > 3) break
  }
  const during = run === undefined ? 0 : await records.runs.events('r1').then(({ length }) => length)
  rmSync(filler)
  const again = await codeOf(async () => {
    run ??= await drive(records, newRun('r1'))
    await run.tick(3, { durable: true })
  })
  const after = (await records.runs.events('r1')).length
  const entries = (await records.audit.lines()).length
  const db = new DatabaseSync(join(folder, 'home/waybill.db'))
  const integrity = Object.values(db.prepare('PRAGMA integrity_check').get() ?? {})[0]
  db.close()
  await records.close()
  return { codes: [...codes], acknowledged, during, again, after, entries, integrity }
}

function fill(file: string, leaveKb: number): void {
  const fd = openSync(file, 'w')
  const block = Buffer.alloc(1024)
  const parts: string[] = []
  // The space to leave is reserved first, so that the rest can be filled completely.
  const reserve = `${file}.reserve`
  const reserved = openSync(reserve, 'w')
  for (let n = 0; n < leaveKb; n++) writeSync(reserved, block)
  closeSync(reserved)
  try {
    for (;;) writeSync(fd, block)
  } catch (error) {
    parts.push(String(error))
  }
  closeSync(fd)
  rmSync(reserve)
}

async function readOnly(): Promise<object> {
  const records = open()
  const run = { list: (await records.runs.list()).items.map(({ run_id, live }) => ({ run_id, live })) }
  return {
    ...run,
    events: (await records.runs.events('r1')).length,
    audit: (await records.audit.lines()).length,
    decisions: (await records.runs.decisions('r1')).length,
    items: (await records.memory.list({}, Number.MAX_SAFE_INTEGER)).length,
    create: await codeOf(() => records.runs.create(newRun('r9'))),
    open: await codeOf(() => records.runs.open('r1')),
    remove: await codeOf(() => records.runs.remove('r1')),
    empty: (await open(join(folder, 'none')).runs.list()).items.length,
    make: await codeOf(() => open(join(folder, 'none')).runs.create(newRun('r9'))),
  }
}

/** Limits file descriptors so that opening fails at each point in turn. */
async function fewFiles(): Promise<object> {
  const codes: string[] = []
  for (let left = 0; left < 14; left++) {
    const home = join(folder, `home-${left}`)
    mkdirSync(home)
    const taken: number[] = []
    try {
      for (;;) taken.push(openSync('/dev/null', 'r'))
    } catch {
      // All descriptors are in use.
    }
    for (const fd of taken.splice(0, left)) closeSync(fd)
    const records = open(home)
    const during = await codeOf(() => records.runs.create(newRun('r1'), { durable: true }))
    const list = await codeOf(() => records.runs.list())
    for (const fd of taken) closeSync(fd)
    const after = during === 'ok' ? 'ok' : await codeOf(() => records.runs.create(newRun('r1')))
    codes.push(`${during} ${list} ${after}`)
    await records.close()
  }
  return { codes }
}

const modes: Readonly<Record<string, () => Promise<object>>> = { fullDisk, readOnly, fewFiles }
process.stdout.write(JSON.stringify(await modes[mode ?? '']?.()))
