import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type { Io } from '../../src/cli/io.ts'
import { chooseDeliberately, confirmDeliberately } from '../../src/cli/terminal/choose-deliberately.ts'
import { DeliberateChoice } from '../../src/cli/terminal/deliberate-choice.ts'
import { KeyReader } from '../../src/cli/terminal/key-reader.ts'
import { KEY_WORDS, TYPED } from './typed-words.ts'

const UP = '\x1b[A'
const DOWN = '\x1b[B'
const OPTIONS = [
  { value: 'approve', label: 'Approve' },
  { value: 'deny', label: 'Deny' },
  { value: 'later', label: 'Decide later' },
]

/** The entry that these pieces of input choose at once, without any pause; undefined if none. */
function chosenBy(pieces: readonly string[], count: number, safe: number): number | undefined {
  const reader = new KeyReader()
  const choice = new DeliberateChoice(count, safe)
  for (const piece of pieces)
    for (const key of reader.push(piece)) if (choice.press(key) === 'answer') return choice.index
  return undefined
}

/** A question on a terminal whose clock the test moves. */
async function ask(t: TestContext) {
  let shown = ''
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
  const err = (text: string) => {
    shown += text
  }
  const io: Io = { cwd: '.', env: {}, out: err, err, stdin, outIsTty: true, errIsTty: true, color: false }
  let answer: string | undefined | null = null
  void chooseDeliberately({ message: 'Allow?', options: OPTIONS, safe: 'later' }, io).then((value) => {
    answer = value
  })
  const turns = async () => {
    for (let turn = 0; turn < 3; turn++) await turnOfTheLoop()
  }
  const wait = async (ms: number) => {
    await turns()
    t.mock.timers.tick(ms)
    await turns()
  }
  while (shown === '') await turnOfTheLoop()
  t.mock.timers.enable({ apis: ['setTimeout'] })
  return {
    wait,
    press: async (...keys: readonly string[]) => {
      for (const key of keys) stdin.write(key)
      await turns()
    },
    answer: () => answer,
    shown: () => shown,
    end: () => stdin.end(),
  }
}

describe('a question whose answer has an effect', () => {
  test('no typed or pasted text chooses anything but the safe entry, however it is split', () => {
    for (const word of [...TYPED, ...KEY_WORDS])
      for (const [count, safe] of [
        [2, 1],
        [3, 2],
        [4, 3],
        [4, 0],
      ] as const)
        for (const pieces of [
          [`${word}\r`],
          [...word, '\r'],
          [word, '\n'],
          [`${DOWN}${word}\r`],
          [UP, word, '\r'],
        ])
          assert.equal(chosenBy(pieces, count, safe), safe, JSON.stringify(pieces))
  })

  test('arrow keys and Enter inside pasted text are text', () => {
    for (const pasted of [`${DOWN}\r`, `${UP}${UP}\r\r`, `rm -rf x\n${DOWN}\n`, `a\x1b[20`, '\x1b[201']) {
      const marked = `\x1b[200~${pasted}\x1b[201~`
      for (const pieces of [[marked], [...marked], [marked.slice(0, 9), marked.slice(9)]]) {
        assert.equal(chosenBy(pieces, 3, 2), undefined, JSON.stringify(pieces))
        assert.equal(chosenBy([DOWN, ...pieces, '\r'], 3, 2), 2, JSON.stringify(pieces))
      }
    }
  })

  test('Ctrl-C in a paste that never ends is Ctrl-C', () => {
    const reader = new KeyReader()
    assert.deepEqual(reader.push('\x1b[200~no end'), ['text'])
    assert.deepEqual(reader.push('more \x03'), ['interrupt'])
  })

  test('a sequence that is split is one arrow key; with a modifier or after Escape it is not one', () => {
    const keys = (...pieces: readonly string[]) => {
      const reader = new KeyReader()
      return [...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.flush()]
    }
    assert.deepEqual(keys('\x1b', '[', 'A', '\x1bO', 'B'), ['up', 'down'])
    assert.deepEqual(keys('\x1b[1;2A', '\x1b\x1b', '[B'), ['text', 'text', 'text', 'text'])
    assert.deepEqual(keys('\x1b[D\x1b[H\x1b[3~\x1bOP\x1bk'), ['text', 'text', 'text', 'text', 'text'])
    assert.deepEqual(keys('\x1b'), ['escape'])
  })

  test('Enter chooses after an arrow key that is 300 ms old, and not before', async (t) => {
    const { press, wait, answer, shown } = await ask(t)
    await press(DOWN)
    await wait(299)
    await press('\r')
    assert.equal(answer(), null)
    assert.match(shown(), /press Enter again to choose "Approve"/)
    await wait(299)
    // An Enter that is held down never rests.
    await press('\r')
    await wait(250)
    await press('\r')
    assert.equal(answer(), null)
    await wait(300)
    await press('\r')
    assert.equal(answer(), 'approve')
  })

  test('another key after the arrow returns to the safe entry, at any time', async (t) => {
    for (const key of ['x', ' ', '\t', '\x7f', '7', '\x1b[D', '\x1b[200~pasted\x1b[201~', 'é']) {
      await t.test(JSON.stringify(key), async (one) => {
        const { press, wait, answer } = await ask(one)
        await press(UP)
        await wait(1000)
        await press(key)
        await wait(1000)
        await press('\r')
        assert.equal(answer(), 'later')
      })
    }
  })

  test('Enter that is unread while the process is busy comes before the rest', async (t) => {
    const { press, wait, answer } = await ask(t)
    await press(DOWN)
    // The timer has fired, but the input of this turn is read before the turn ends.
    t.mock.timers.tick(300)
    await press('\r')
    assert.equal(answer(), null)
    await wait(300)
    await press('\r')
    assert.equal(answer(), 'approve')
  })

  test('Enter alone, Escape, Ctrl-C and a closed terminal choose nothing', async (t) => {
    for (const [key, expected] of [
      ['\r', 'later'],
      ['\x03', undefined],
      ['\x1b', undefined],
    ] as const)
      await t.test(JSON.stringify(key), async (one) => {
        const { press, wait, answer } = await ask(one)
        await press(DOWN, UP)
        await press(key)
        await wait(50)
        assert.equal(answer(), expected)
      })
    await t.test('closed', async (one) => {
      const { press, wait, answer, end } = await ask(one)
      await press(DOWN)
      end()
      await wait(0)
      assert.equal(answer(), undefined)
    })
  })

  test('a yes or a no: no word is a yes', async () => {
    for (const word of ['y', 'yes', 'Y', 'yyyy', 'hello', 'j', 'k', '1']) {
      const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
      const err = (text: string) => {
        if (text.includes('Erase?')) stdin.write(`${word}\r`)
      }
      const io: Io = { cwd: '.', env: {}, out: err, err, stdin, outIsTty: true, errIsTty: true, color: false }
      assert.equal(await confirmDeliberately('Erase?', io), false, word)
    }
  })
})
