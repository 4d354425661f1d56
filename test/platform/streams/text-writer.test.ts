import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { TextWriter } from '../../../src/platform/streams/text-writer.ts'
import { testDatabase } from '../postgres.ts'
import { answered, failed, stateAt, until } from './stored-run.ts'

async function scene(t: TestContext, everyMs = 10) {
  const { database } = await testDatabase(t)
  const { engine } = database
  const statements: unknown[][] = []
  const query = engine.query.bind(engine) as (...args: unknown[]) => Promise<unknown>
  let broken = false
  engine.query = ((...args: unknown[]) => {
    if (broken) return Promise.reject(new Error('Connection terminated unexpectedly'))
    if (String(args[0]).includes('INSERT INTO waybill.texts')) statements.push(args[1] as unknown[])
    return query(...args)
  }) as unknown as typeof engine.query
  const writer = new TextWriter(engine, { everyMs })
  return {
    engine,
    writer,
    statements,
    breaks: (now: boolean) => {
      broken = now
    },
    stored: async (runId: string) => {
      const { rows } = await engine.query<{ text: string | null }>(
        `SELECT string_agg(text, '' ORDER BY n) AS text FROM waybill.texts WHERE org = 'o' AND run_id = $1`,
        [runId],
      )
      return rows[0]?.text ?? ''
    },
    pieces: async () => (await engine.query('SELECT 1 FROM waybill.texts')).rowCount,
  }
}

const run = (writer: TextWriter, runId: string, seq = 1, attempt = 1) =>
  writer.run({ org: 'o', runId, epoch: 1, state: stateAt(seq, attempt) })

describe('texts of models in the database', () => {
  it('texts of all runs are stored in one statement per interval, and only those that have grown', async (t) => {
    const { writer, statements, stored } = await scene(t, 50)
    const runs = Array.from({ length: 40 }, (_, index) => run(writer, `r${index}`))
    for (let i = 0; i < 10; i++) for (const one of runs) one.onText(`${i} `)
    await until(async () => (await stored('r39')) !== '', 'the texts')
    assert.equal(await stored('r0'), '0 1 2 3 4 5 6 7 8 9 ')
    assert.equal(statements.length, 1)
    runs[7]?.onText('more')
    await until(async () => (await stored('r7')).endsWith('more'), 'the text')
    assert.equal(statements.length, 2)
    assert.deepEqual(statements[1]?.[6], ['r7'])
    await writer.close()
  })

  it('a text is removed when its answer is on record, and when the question is asked again', async (t) => {
    const { writer, stored, pieces } = await scene(t)
    const one = run(writer, 'r')
    one.onText('first')
    await until(async () => (await stored('r')) === 'first', 'the text')
    one.onEvent(failed(2, 1, 2), stateAt(2, 2))
    one.onText('second')
    await until(async () => (await stored('r')) === 'second', 'only the second text')
    one.onEvent(answered(3, 2, 'second'), stateAt(3, null))
    await until(async () => (await pieces()) === 0, 'no text')
    await writer.close()
  })

  it('a text of 1 MB is stored in pieces: the cost of a delta does not depend on its length', async (t) => {
    const { engine, writer, statements, stored } = await scene(t, 1)
    const one = run(writer, 'r')
    const delta = 'x'.repeat(4096)
    for (let i = 0; i < 256; i++) {
      one.onText(delta)
      if (i % 8 === 0) await new Promise((resolve) => setTimeout(resolve, 2))
    }
    await until(async () => (await stored('r')).length === 1 << 20, 'the whole text')
    const sent = statements.reduce((sum, values) => sum + (values[11] as string[]).join('').length, 0)
    assert.equal(sent, 1 << 20, 'each character is sent once')
    const { rows } = await engine.query<{ n: number }>('SELECT n FROM waybill.texts ORDER BY n')
    assert.deepEqual(
      rows.map(({ n }) => n),
      rows.map((_, index) => index + 1),
    )
    await writer.close()
  })

  it('characters that are split between deltas stay whole, and NUL of one run does not harm other runs', async (t) => {
    const { writer, stored } = await scene(t)
    const one = run(writer, 'r')
    const two = run(writer, 's')
    two.onText('nul:\0.')
    for (const unit of '😀a😀'.split('')) {
      one.onText(unit)
      await new Promise((resolve) => setTimeout(resolve, 15))
    }
    await until(async () => (await stored('r')) === '😀a😀', 'whole characters')
    assert.equal(await stored('s'), 'nul:\uFFFD.')
    await writer.close()
  })

  it('text waits while the database is away, and arrives once; a text that grows too long is given up', async (t) => {
    const { writer, stored, breaks, pieces } = await scene(t)
    const one = run(writer, 'r')
    const two = run(writer, 's')
    one.onText('a')
    two.onText('b')
    await until(async () => (await stored('s')) === 'b', 'the first piece')
    breaks(true)
    one.onText('bc')
    await new Promise((resolve) => setTimeout(resolve, 60))
    one.onText('d')
    two.onText('x'.repeat((1 << 20) + 1))
    breaks(false)
    await until(async () => (await stored('r')) === 'abcd', 'the rest')
    await until(async () => (await stored('s')) === '', 'the text that was given up')
    two.onText('more of it')
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal(await stored('s'), '')
    one.onEvent(answered(2, 1, 'abcd'), stateAt(2, null))
    await until(async () => (await pieces()) === 0, 'no text')
    await writer.close()
  })

  it('a piece whose commit was not confirmed is stored once', async (t) => {
    const { engine, writer, stored } = await scene(t)
    const query = engine.query.bind(engine) as (...args: unknown[]) => Promise<unknown>
    let lost = 0
    engine.query = (async (...args: unknown[]) => {
      const result = await query(...args)
      if (String(args[0]).includes('INSERT INTO') && lost++ < 2) throw new Error('Connection terminated')
      return result
    }) as unknown as typeof engine.query
    const one = run(writer, 'r')
    one.onText('once ')
    await until(() => lost > 2, 'a repetition')
    one.onText('only')
    await until(async () => (await stored('r')) === 'once only', 'the text')
    await writer.close()
  })

  it('a killed process leaves what was stored; the next holder of the run replaces it', async (t) => {
    const { writer, stored, breaks } = await scene(t)
    const one = run(writer, 'r')
    one.onText('before the kill')
    await until(async () => (await stored('r')) === 'before the kill', 'the text')
    one.onText(' and after')
    breaks(true)
    await writer.close()
    breaks(false)
    assert.equal(await stored('r'), 'before the kill')
  })
})
