import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, type TestContext } from 'node:test'
import { DEFINITION, MailModel, Place, until, waybill } from './fixture.ts'
import { Terminal, terminal } from './real-terminal.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.script())

const chat = () => ['chat', 'agent.json', '--tools', 'tools.mjs', ...model.flags]
const MARKDOWN =
  'Here is **a list**:\n\n- one\n- two `x`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[site](https://x.io)'

interface Answer {
  readonly content?: string
  readonly toolCalls?: { readonly id: string; readonly name: string; readonly arguments: string }[]
}

/** Lets the model answer only when the test says so. */
function heldAnswers(): {
  readonly asked: () => number
  answer(text: string): void
  call(name: string, args: object): void
} {
  const waiting: ((answer: Answer) => void)[] = []
  let asked = 0
  model.server.clearFixtures()
  model.server.addFixture({
    match: {},
    response: async () => {
      asked++
      return new Promise<Answer>((resolve) => waiting.push(resolve))
    },
  })
  return {
    asked: () => asked,
    answer: (content) => waiting.shift()?.({ content }),
    call: (name, args) =>
      waiting.shift()?.({ toolCalls: [{ id: 'c1', name, arguments: JSON.stringify(args) }] }),
  }
}

/** Opens a chat and sends a first message, for which the model is asked and gives no answer yet. */
async function askedChat(t: TestContext, place: Place) {
  const held = heldAnswers()
  const tty = new Terminal(t, place)
  tty.command(...chat())
  await tty.shows(/\n> $/m)
  tty.type('first')
  tty.key('Enter')
  await until('the model is asked', () => held.asked() === 1)
  await tty.shows(/is thinking/)
  return { held, tty }
}

describe('chat on a terminal', () => {
  terminal('shows Markdown as styles, and the text as it is with NO_COLOR', async (t) => {
    const place = new Place(t)
    model.script({ calls: false, answer: MARKDOWN })
    const tty = new Terminal(t, place)
    tty.command(...chat())
    await tty.shows(/\n> $/m)
    tty.type('Hello')
    tty.key('Enter')
    await tty.shows(
      /> Hello\nHere is a list:\n\n• one\n• two x\n\na {2}b\n─ {2}─\n1 {2}2\n\nsite \(https:\/\/x\.io\)\n> /,
    )
    tty.key('C-d')
    assert.equal(await tty.code(), 0)
    const plain = new Terminal(t, place, { NO_COLOR: '1' })
    plain.command(...chat())
    await plain.shows(/\n> $/m)
    plain.type('Hello')
    plain.key('Enter')
    await plain.shows(/> Hello\nHere is \*\*a list\*\*:\n\n- one\n/)
    plain.key('C-d')
    await plain.code()
  })

  terminal('what is typed during a turn has its own line, and is the next message', async (t) => {
    const place = new Place(t)
    const { tty, held } = await askedChat(t, place)
    tty.type('secont')
    await tty.shows(/is thinking.*\n> secont$/m)
    tty.key('BSpace')
    tty.type('d')
    tty.key('Enter')
    await tty.shows(/is thinking.*\n\(1 to send next\) > ?$/m)
    tty.type('/us')
    await tty.shows(/\(1 to send next\) > \/us$/m)
    held.answer('One answer.')
    await tty.shows(/> first\nOne answer\.\n> second\n/)
    await until('the second message is sent', () => held.asked() === 2)
    await tty.shows(/> second\n.*is thinking.*\n> \/us$/m)
    held.answer('Two.')
    await tty.shows(/> second\nTwo\.\n> \/us$/m)
    tty.type('age')
    tty.key('Enter')
    await tty.shows(/> \/usage\n.*tokens in/)
    tty.key('C-d')
    assert.equal(await tty.code(), 0)
    const [id = ''] = await place.runIds()
    const { messages } = JSON.parse((await waybill(place, ['runs', 'show', id, '--json'])).out)
    assert.deepEqual(
      messages.map(({ text }: { text: string }) => text),
      ['first', 'One answer.', 'second', 'Two.'],
    )
  })

  terminal('a question waits for the message that is being typed, and has the terminal alone', async (t) => {
    const place = new Place(t)
    const { tty, held } = await askedChat(t, place)
    tty.type('I think')
    await tty.shows(/\n> I think$/m)
    held.call('send_mail', { to: 'ada' })
    await tty.shows(/send_mail waits for your decision: send your message with Enter, or erase it/)
    tty.type(' hell')
    await tty.shows(/\n> I think hell$/m)
    assert.doesNotMatch(tty.screen(), /Decide later/)
    tty.key('Enter')
    await tty.shows(/●[^\n]*Decide later/)
    await tty.choose('Deny', 'Up', 'Up')
    await tty.shows(/Reason\?/)
    tty.type('too soon')
    tty.key('Enter')
    await until('the model is asked again', () => held.asked() === 2)
    held.answer('Understood.')
    await tty.shows(/denied by \S+: too soon\n[\s\S]*Understood\.\n> I think hell\n/)
    await until('the message is sent', () => held.asked() === 3)
    held.answer('Good.')
    await tty.shows(/Good\.\n> ?$/m)
    tty.key('C-d')
    assert.equal(await tty.code(), 0)
    assert.deepEqual(place.sent(), [])
  })

  terminal('output of a function does not tear the line that is being typed', async (t) => {
    const place = new Place(t, { ...DEFINITION, agent: { ...DEFINITION.agent, compliance: {} } })
    place.write(
      'tools.mjs',
      `export const tools = { send_mail: async ({ to }) => {
        console.log('PAYING', to)
        process.stdout.write('half')
        return to
      } }`,
    )
    const { tty, held } = await askedChat(t, place)
    tty.type('I think')
    await tty.shows(/\n> I think$/m)
    held.call('send_mail', { to: 'ada' })
    await tty.shows(/\nPAYING ada\nhalf\n[\s\S]*\n> I think$/m)
    await until('the model is asked again', () => held.asked() === 2)
    held.answer('Done.')
    await tty.shows(/Done\.\n> I think$/m)
    tty.key('C-u')
    tty.key('C-d')
    assert.equal(await tty.code(), 0)
  })

  terminal('Ctrl-C during a turn pauses it; typed messages return to the prompt', async (t) => {
    const place = new Place(t)
    const { tty, held } = await askedChat(t, place)
    tty.type('other')
    tty.key('Enter')
    await tty.shows(/to send next/)
    tty.key('C-c')
    await tty.shows(/\(paused\) > other$/m)
    tty.key('C-c')
    await tty.code()
    assert.equal(held.asked(), 1)
    held.answer('Late.')
  })

  terminal('--resume shows the last ten messages, and how to see all', async (t) => {
    const place = new Place(t)
    model.script({ calls: false, answer: '**Good** day.' })
    const said = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6']
    await waybill(place, chat(), { stdin: `${said.join('\n')}\n` })
    const [id = ''] = await place.runIds()
    const tty = new Terminal(t, place)
    tty.command('chat', '--resume', id)
    await tty.shows(
      /2 earlier messages: waybill runs show \S+ shows all\n> m2\nGood day\.\n> m3\n[\s\S]*> m6\nGood day\.\n/,
    )
    assert.doesNotMatch(tty.screen(), /> m1/)
    tty.type('/tools')
    tty.key('Enter')
    await tty.shows(/> \/tools\n.*send_mail.*needs approval/)
    tty.type('/model')
    tty.key('Enter')
    await tty.shows(/> \/model\n.*custom\/x/)
    tty.key('C-d')
    assert.equal(await tty.code(), 0)
  })

  terminal('a backslash or a code block continues the message', async (t) => {
    const place = new Place(t)
    model.script({ calls: false, answer: 'Good day.' })
    const tty = new Terminal(t, place)
    tty.command(...chat())
    await tty.shows(/\n> $/m)
    for (const line of ['one\\', 'two']) {
      tty.type(line)
      tty.key('Enter')
      if (line !== 'two') await tty.shows(/\n… $/m)
    }
    await tty.shows(/… two\nGood day\./)
    for (const line of ['```', 'code', '```']) {
      tty.type(line)
      tty.key('Enter')
      if (line === 'code') await tty.shows(/… code\n… $/m)
      else if (!tty.screen().includes('… code')) await tty.shows(/> ```\n… $/m)
    }
    await tty.shows(/… ```\nGood day\.\n> $/m)
    // Ctrl-C drops the unfinished message only.
    tty.type('bad\\')
    tty.key('Enter')
    await tty.shows(/> bad\\\n… $/m)
    tty.key('C-c')
    await tty.shows(/> bad\\\n…\s*\n> $/m)
    tty.key('C-d')
    assert.equal(await tty.code(), 0)
    const [id = ''] = await place.runIds()
    const { messages } = JSON.parse((await waybill(place, ['runs', 'show', id, '--json'])).out)
    assert.deepEqual(
      messages
        .filter(({ role }: { role: string }) => role === 'user')
        .map(({ text }: { text: string }) => text),
      ['one\ntwo', '```\ncode\n```'],
    )
  })
})
