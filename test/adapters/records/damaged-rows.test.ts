import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { identityChecksum, lineChecksum, type RunRow } from '../../../src/adapters/records/sqlite/run-row.ts'
import {
  decided,
  drive,
  fact,
  newRun,
  QUESTION,
  refused,
} from '../../../src/testing/contracts/records-fixture.ts'
import { filled, tamper } from './records-fixture.ts'

/** Changes the row of run r1 and makes its checksum fit, as another version of Waybill would have written it. */
function rewrite(home: string, changes: Partial<RunRow>): void {
  const db = new DatabaseSync(join(home, 'waybill.db'), { timeout: 5000 })
  const row = { ...(db.prepare('SELECT * FROM runs WHERE id = 1').get() as unknown as RunRow), ...changes }
  db.prepare('UPDATE runs SET v = ?, header = ?, checksum = ? WHERE id = 1').run(
    row.v,
    row.header,
    identityChecksum(row),
  )
  db.close()
}

/** The same for one of its events. */
function rewriteEvent(home: string, seq: number, line: string): void {
  const db = new DatabaseSync(join(home, 'waybill.db'), { timeout: 5000 })
  db.prepare('UPDATE events SET line = ?, checksum = ? WHERE run = 1 AND seq = ?').run(
    line,
    lineChecksum('r1', seq, line),
    seq,
  )
  db.close()
}

describe('each value of a row is checked', () => {
  const header = /run r1 is damaged: its header was changed/
  const runs: readonly (readonly [column: string, value: string])[] = [
    ['v', '0'],
    ['header', `replace(header, 'Clerk', 'Clerc')`],
    ['first', `replace(first, 'input of r1', 'x')`],
    ['imported', '1'],
    ['created_at', 'created_at + 1'],
    ['agent_id', `'agent-9'`],
    ['user', `'eve'`],
    ['batch', `'b9'`],
    ['parent', `'r2'`],
    ['root', `'r2'`],
    ['plans', `substr(plans, 1, 64)`],
    ['checksum', 'checksum + 1'],
  ]
  for (const [column, value] of runs)
    test(`runs.${column}`, async (t) => {
      const { home, records } = await filled(t)
      tamper(home, `UPDATE runs SET ${column} = ${value} WHERE id = 1`)
      for (const ask of [
        () => records.runs.read('r1'),
        () => records.runs.events('r1'),
        () => records.runs.decide('r1', QUESTION, decided('bob', 9)),
      ])
        assert.match((await refused('RECORD_DAMAGED', ask)).message, header)
      const { damaged, header: shown } = await records.runs.listed('r1')
      assert.equal(damaged?.code, 'RECORD_DAMAGED')
      assert.equal(shown, null)
    })

  test('runs.run_id', async (t) => {
    const { home, records } = await filled(t)
    tamper(home, `UPDATE runs SET run_id = 'r9' WHERE id = 1`)
    const { message } = await refused('RECORD_DAMAGED', () => records.runs.read('r9'))
    assert.match(message, /run r9 is damaged: its header was changed/)
    await refused('RUN_NOT_FOUND', () => records.runs.read('r1'))
  })

  const shown = /run r1 is damaged: its summary was changed/
  const progress: readonly (readonly [column: string, value: string])[] = [
    ['status', `'failed'`],
    ['stop_reason', `'final'`],
    ['questions', 'questions + 1'],
    ['seq', 'seq + 1'],
    ['updated_at', 'updated_at + 1'],
    ['checksum', 'checksum + 1'],
  ]
  for (const [column, value] of progress)
    test(`progress.${column}`, async (t) => {
      const { home, records } = await filled(t)
      tamper(home, `UPDATE progress SET ${column} = ${value} WHERE run = 1`)
      for (const ask of [
        () => records.runs.read('r1'),
        () => records.runs.events('r1'),
        () => records.runs.decide('r1', QUESTION, decided('bob', 9)),
      ])
        assert.match((await refused('RECORD_DAMAGED', ask)).message, shown)
      assert.match((await records.runs.listed('r1')).damaged?.message ?? '', shown)
    })

  test('progress of another run, whole', async (t) => {
    const { home, records } = await filled(t)
    const columns = 'status, stop_reason, questions, seq, updated_at, checksum'
    tamper(
      home,
      `UPDATE progress SET (${columns}) = (SELECT ${columns} FROM progress WHERE run = 2) WHERE run = 1`,
    )
    assert.match((await records.runs.listed('r1')).damaged?.message ?? '', shown)
  })

  const others: readonly (readonly [
    name: string,
    statement: string,
    ask: 'decisions' | 'sealed' | 'read',
  ])[] = [
    ['decisions.key', `UPDATE decisions SET key = 'key-of-c2'`, 'decisions'],
    ['decisions.asked', 'UPDATE decisions SET asked = 3', 'decisions'],
    ['decisions.line', `UPDATE decisions SET line = replace(line, 'ann', 'bob')`, 'decisions'],
    ['decisions.checksum', 'UPDATE decisions SET checksum = checksum + 1', 'decisions'],
    ['sealed.line', `UPDATE sealed SET line = 'x'`, 'sealed'],
    ['sealed.checksum', 'UPDATE sealed SET checksum = checksum + 1', 'sealed'],
    ['plans.body', `UPDATE plans SET body = replace(body, 'agent-1', 'agent-9')`, 'read'],
    ['plans.checksum', 'UPDATE plans SET checksum = checksum + 1', 'read'],
    ['plans.hash', `UPDATE plans SET hash = 'x' || hash`, 'read'],
  ]
  for (const [name, statement, ask] of others)
    test(name, async (t) => {
      const { home, records } = await filled(t)
      tamper(home, statement)
      await refused('RECORD_DAMAGED', () => records.runs[ask]('r1'))
    })

  test('decisions and sealed lines of another run', async (t) => {
    const { home, records } = await filled(t)
    tamper(home, 'UPDATE decisions SET run = 2', `UPDATE sealed SET root = 'r2'`)
    await refused('RECORD_DAMAGED', () => records.runs.decisions('r2'))
    await refused('RECORD_DAMAGED', () => records.runs.sealed('r2'))
  })

  for (const [name, change] of [
    ['grants.id', `id = 'g2'`],
    ['grants.body', `body = replace(body, 'a.example', 'b.example')`],
    ['grants.checksum', 'checksum = checksum + 1'],
  ] as const)
    test(name, async (t) => {
      const { home, records } = await filled(t)
      await records.grants.give({ id: 'g1', kind: 'host', what: 'a.example', by: 'ann', at: 'x' }, [])
      tamper(home, `UPDATE grants SET ${change}`)
      await refused('RECORD_DAMAGED', () => records.grants.list())
      // Under another id it is no longer found; what is found is checked.
      if (name === 'grants.id') assert.equal(await records.grants.spend('g1', 0), false)
      await refused('RECORD_DAMAGED', () => records.grants.spend(name === 'grants.id' ? 'g2' : 'g1', 0))
    })

  test('the run of a sub-agent is damaged if its root is', async (t) => {
    const { home, records } = await filled(t)
    const parent = { run_id: 'r1', root_run_id: 'r1' }
    await (await drive(records, newRun('child', { parent }))).run.close()
    await records.runs.read('child')
    tamper(home, `UPDATE runs SET plans = substr(plans, 1, 64) WHERE id = 1`)
    await refused('RECORD_DAMAGED', () => records.runs.read('child'))
  })

  test("a sub-agent's run whose root is damaged is refused before it is stored", async (t) => {
    const { home, records } = await filled(t)
    tamper(home, `UPDATE runs SET plans = substr(plans, 1, 64) WHERE id = 1`)
    const parent = { run_id: 'r1', root_run_id: 'r1' }
    await refused('RECORD_DAMAGED', () => records.runs.create(newRun('child', { parent })))
    assert.equal(await records.runs.has('child'), false)
  })

  test('a removal that fails after it has removed the plans of the run changes nothing', async (t) => {
    const { home, records } = await filled(t)
    const plansOf = () => {
      const db = new DatabaseSync(join(home, 'waybill.db'), { timeout: 5000 })
      const rows = db.prepare('SELECT hash FROM run_plans WHERE run = 2').all()
      db.close()
      return rows.length
    }
    tamper(
      home,
      'DELETE FROM progress WHERE run = 2',
      'DELETE FROM events WHERE run = 2',
      "CREATE TRIGGER no_removal BEFORE DELETE ON runs BEGIN SELECT RAISE(ABORT, 'kept'); END",
    )
    await assert.rejects(records.runs.remove('r2'), /kept/)
    assert.equal(plansOf(), 1)
    tamper(home, 'DROP TRIGGER no_removal')
    await records.runs.remove('r2')
    assert.equal(plansOf(), 0)
  })

  test('a lease that cannot be released does not hide the reason why a run cannot be opened', async (t) => {
    const { home, records } = await filled(t)
    tamper(
      home,
      'UPDATE events SET checksum = checksum + 1 WHERE run = 1 AND seq = 3',
      `CREATE TRIGGER no_release BEFORE UPDATE OF holder ON progress WHEN new.holder IS NULL
         BEGIN SELECT RAISE(ABORT, 'not given back'); END`,
    )
    const { message } = await refused('RECORD_DAMAGED', () => records.runs.open('r1'))
    assert.match(message, /at event 3: it was changed/)
    tamper(home, 'DROP TRIGGER no_release')
  })
})

describe('a record with valid checksums and invalid content', () => {
  test('an event with a wrong sequence number is damage', async (t) => {
    const { home, records } = await filled(t)
    rewriteEvent(home, 4, '{"seq":5,"at":1,"type":"run.resumed","by":"x","decision":{}}')
    const { message } = await refused('RECORD_DAMAGED', () => records.runs.read('r1'))
    assert.match(message, /at event 4: its sequence number is wrong/)
  })

  test('an event after the last recorded one is damage, also for a reader of new events', async (t) => {
    const { home, records } = await filled(t)
    tamper(home, "INSERT INTO events (run, seq, line, checksum) VALUES (1, 6, '', 0)")
    rewriteEvent(home, 6, '{"seq":6,"at":1,"type":"run.resumed","by":"x","decision":{}}')
    for (const after of [0, 4, 5]) {
      const { message } = await refused('RECORD_DAMAGED', () => records.runs.events('r1', after))
      assert.match(message, /at event 6: 5 events were stored/)
    }
    await refused('RECORD_DAMAGED', () => records.runs.open('r1'))
  })

  for (const [name, line] of [
    ['no JSON', '{'],
    ['no type', '{"seq":4,"at":1,"decision":{}}'],
    ['no decision', '{"seq":4,"at":1,"type":"run.resumed"}'],
  ] as const)
    test(`an event with ${name} is damage`, async (t) => {
      const { home, records } = await filled(t)
      rewriteEvent(home, 4, line)
      const { message } = await refused('RECORD_DAMAGED', () => records.runs.read('r1'))
      assert.match(message, /at event 4: it cannot be read/)
    })

  /** A member that this version uses has another shape. */
  const ODD = '{"seq":4,"at":1,"type":"run.resumed","by":"x","decision":{"calls":7}}'
  const versions: readonly (readonly [v: number, code: string])[] = [
    [1, 'RECORD_DAMAGED'],
    [2, 'RECORD_NEWER'],
  ]
  for (const [v, code] of versions) {
    test(`version ${v}: events that do not fit together are ${code}`, async (t) => {
      const { home, records } = await filled(t)
      rewrite(home, { v })
      rewriteEvent(home, 4, ODD)
      await refused(code, () => records.runs.read('r1'))
      await refused(code, () => records.runs.open('r1'))
      assert.equal((await records.runs.listed('r1')).live, false)
    })

    test(`version ${v}: a header of another form is ${code}`, async (t) => {
      const { home, records } = await filled(t)
      rewrite(home, { v, header: 'CBOR' })
      await refused(code, () => records.runs.read('r1'))
      assert.equal((await records.runs.listed('r1')).damaged?.code, code)
    })
  }
})

describe('the head of a damaged audit log', () => {
  const table: readonly (readonly [string, string, string | number | null])[] = [
    ['removed', 'DELETE FROM audit_head', 'AUDIT_DAMAGED'],
    ['not an entry', `UPDATE audit_head SET line = 'x'`, 'AUDIT_DAMAGED'],
    ['without its entries', 'DELETE FROM audit', 3],
    ['removed with all entries', 'DELETE FROM audit; DELETE FROM audit_head', null],
    ['as it was', 'SELECT 1', 3],
  ]
  for (const [name, statement, expected] of table)
    test(`${name}: ${expected === null ? 'there is none' : expected}`, async (t) => {
      const { home, records } = await filled(t)
      tamper(home, statement)
      if (typeof expected === 'string') await refused(expected, () => records.audit.head())
      else assert.equal((await records.audit.head())?.n ?? null, expected)
    })

  test('it is the last entry, each time that entries are appended', async (t) => {
    const { records } = await filled(t)
    await records.audit.append([fact('four')])
    const lines = await records.audit.lines()
    assert.equal(JSON.stringify(await records.audit.head()), lines.at(-1))
    assert.equal(lines.length, 4)
  })
})
