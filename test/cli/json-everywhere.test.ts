import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Command } from 'commander'
import { COMMANDS } from '../../src/cli/commands.ts'
import type { Io } from '../../src/cli/io.ts'
import { Place, waybill } from './fixture.ts'

interface Leaf {
  readonly words: readonly string[]
  readonly command: Command
}

function leavesOf(command: Command, words: readonly string[]): readonly Leaf[] {
  if (command.commands.length === 0) return [{ words, command }]
  return command.commands.flatMap((child) => leavesOf(child, [...words, child.name()]))
}

/** Returns every command that has no subcommands, with its words. */
async function leaves(): Promise<readonly Leaf[]> {
  // Commands use it when they run, not when they are declared.
  const io = {} as Io
  const commands = await Promise.all(
    COMMANDS.map(async ({ name, load }) =>
      leavesOf(
        (await load())(io, () => {}, COMMANDS),
        [name],
      ),
    ),
  )
  return commands.flat()
}

describe('--json', () => {
  test('every command takes it', async () => {
    const all = await leaves()
    assert.ok(all.length > 80, `${all.length} commands`)
    const without = all.filter(({ command }) => !command.options.some(({ long }) => long === '--json'))
    assert.deepEqual(
      without.map(({ words }) => words.join(' ')),
      [],
    )
  })

  test('an unknown option of every command is one JSON value on standard output', async (t) => {
    const place = new Place(t)
    for (const { words } of await leaves()) {
      const { code, out } = await waybill(place, [...words, '--json', '--no-such-option'])
      assert.equal(code, 2, words.join(' '))
      assert.equal(JSON.parse(out).error.code, 'USAGE', words.join(' '))
    }
  })

  test('an export says what it wrote; without a file the value has the content', async (t) => {
    const place = new Place(t)
    const run = JSON.parse(
      (await waybill(place, ['run', 'agent.json', '--rehearse', '--input', 'Go', '--json'])).out,
    ).run_id
    const exports: readonly (readonly [words: readonly string[], facts: object])[] = [
      [['runs', 'export', 'last'], { run_id: run, format: 'ndjson' }],
      [['runs', 'export', 'last', '--html'], { run_id: run, format: 'html' }],
      [['receipts', 'export', 'last'], { run_id: run, format: 'ndjson' }],
      [['state', 'export', 'last'], { run_id: run, encrypted: false }],
    ]
    for (const [words, facts] of exports) {
      const printed = await waybill(place, [...words, '--json'])
      assert.equal(printed.code, 0, printed.err)
      const { content, ...value } = JSON.parse(printed.out)
      assert.equal(value.file, null)
      if (words[0] === 'state') assert.equal(content.run_id, run)
      else assert.equal(Buffer.byteLength(content), value.bytes)
      const written = await waybill(place, [...words, '-o', 'out', '--json'])
      const summary = JSON.parse(written.out)
      assert.equal(summary.file, 'out')
      assert.equal('content' in summary, false)
      assert.equal(statSync(join(place.folder, 'out')).size, summary.bytes)
      for (const [name, expected] of Object.entries(facts)) assert.equal(summary[name], expected)
    }
    const completion = JSON.parse((await waybill(place, ['completion', 'bash', '--json'])).out)
    assert.match(completion.script, /_waybill/)
  })
})
