import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { earlierMessages } from '../../src/cli/chat/earlier-messages.ts'
import { TypeAhead } from '../../src/cli/chat/type-ahead.ts'
import type { Io } from '../../src/cli/io.ts'
import { Screen } from '../../src/cli/terminal/screen.ts'
import { initialState } from '../../src/run/initial-state.ts'
import { Log } from '../../src/run/log.ts'
import type { Message } from '../../src/run/state.ts'

interface Shown {
  readonly io: Io
  readonly stdin: EventEmitter
  text(): string
}

/** A terminal with this number of columns, which keeps what is written to it. */
function terminalOf(columns = 20, color = true): Shown {
  let text = ''
  const out = (piece: string) => {
    text += piece
  }
  const stdin = Object.assign(new EventEmitter(), { resume: () => {}, pause: () => {} })
  const io = { cwd: '.', env: {}, out, err: out, outIsTty: true, errIsTty: true, color, columns }
  return { io: { ...io, stdin: stdin as unknown as Io['stdin'] }, stdin, text: () => text }
}

/** Returns the last line that is shown for these keys. */
function lineOf(keys: string, columns = 20): string {
  const { io, stdin } = terminalOf(columns)
  let line: string | null = null
  const ahead = new TypeAhead(io)
  ahead.start((shown) => {
    line = shown
  })
  stdin.emit('data', Buffer.from(keys))
  ahead.stop()
  return stripVTControlCharacters(line ?? '')
}

describe('the line that is typed during a turn', () => {
  test('shows its end if it is longer than the window', () => {
    assert.equal(lineOf('a'.repeat(16)), `> ${'a'.repeat(16)}`)
    assert.equal(lineOf(`a${'b'.repeat(16)}`), `> …${'b'.repeat(15)}`)
    assert.equal(lineOf('日'.repeat(10)), `> …${'日'.repeat(7)}`)
    assert.equal(lineOf('two words '), '> two words ')
  })

  test('the keys for a character, a word and the line delete them', () => {
    assert.equal(lineOf('one 👍🏽\x7f'), '> one ')
    assert.equal(lineOf('one two\x17'), '> one ')
    assert.equal(lineOf('one two\x15'), '')
    assert.equal(lineOf('a\x1b[Db\x1b[3~\x1bOPc'), '> abc')
  })

  test('pasted lines are one message, and the rest of the keys the next', () => {
    const { io, stdin } = terminalOf()
    const ahead = new TypeAhead(io)
    ahead.start(() => {})
    stdin.emit('data', Buffer.from('one\rtwo\r'))
    stdin.emit('data', Buffer.from('\r'))
    stdin.emit('data', Buffer.from('thr'))
    assert.equal(ahead.nextMessage(), 'one\ntwo')
    assert.equal(ahead.takeAll(), 'thr')
    assert.equal(ahead.nextMessage(), undefined)
    stdin.emit('data', Buffer.from('after'))
    ahead.stop()
    stdin.emit('data', Buffer.from(' the end'))
    assert.equal(ahead.takeLine(), 'after')
  })

  test('is below the output, and the output continues where it ended', () => {
    // A word that is longer than the window ends in its second row, at the sixth column.
    for (const [output, back] of [
      ['a'.repeat(5), '\x1b[A\x1b[6G'],
      ['a'.repeat(25), '\x1b[A\x1b[6G'],
      ['line\n', ''],
    ] as const) {
      const { io, text } = terminalOf()
      let show: (line: string | null) => void = () => {}
      const typing = {
        start: (given: typeof show) => {
          show = given
        },
        stop: () => {},
        hasDraft: () => true,
        draftEnds: async () => {},
      }
      const screen = new Screen(io, { typing })
      screen.text(output)
      show('> typed')
      assert.ok(
        text().endsWith(`${back === '' ? '' : '\n'}\r\x1b[2K> typed\x1b[?2026l`),
        JSON.stringify(text()),
      )
      const before = text().length
      screen.text('b')
      assert.equal(text().slice(before).split('b')[0], `\x1b[?2026h\r\x1b[2K${back}`)
      screen.close()
    }
  })
})

describe('the messages of a conversation that is resumed', () => {
  test('are those between the person and the agent', async () => {
    const messages: Message[] = [
      { role: 'user', text: 'remembered', recalled: ['a'] },
      { role: 'user', text: 'Hi' },
      { role: 'user', text: 'answers of others', others: true },
      { role: 'assistant', text: '', calls: [] },
      { role: 'tool', call_id: 'c', tool: 't', result: 'result' },
      { role: 'assistant', text: 'wrong', calls: [] },
      { role: 'user', text: 'repair it', repair: true },
      { role: 'assistant', text: 'Right', calls: [] },
    ]
    const state = { ...initialState('r', 'a', 'h'), messages: Log.empty<Message>().append(messages) }
    assert.equal(await earlierMessages(state, terminalOf(40, false).io), '> Hi\nwrong\nRight\n')
  })
})
