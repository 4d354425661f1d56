import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { randomNumbers } from '../../../scripts/random-numbers.ts'
import { WaybillError } from '../../../src/document/issue.ts'
import { apply } from '../../../src/run/apply.ts'
import { initialState } from '../../../src/run/initial-state.ts'
import type { AgentState } from '../../../src/spec/aaif/generated/state.ts'
import { parseAgentState } from '../../../src/spec/aaif/parse-agent-state.ts'
import { parseHandoffStream } from '../../../src/spec/aaif/read-handoff-stream.ts'
import { type ReadHandoffOptions, readHandoff } from '../../../src/state/stream/read-handoff.ts'
import { streamedChecksum, streamedState } from '../../../src/state/stream/streamed-state.ts'
import { handoffError, writeHandoff } from '../../../src/state/stream/write-handoff.ts'
import { repetitions } from '../../repetitions.ts'
import { ROOT } from '../../run/family-world.ts'
import { captureOf } from '../captured.ts'
import { worldOf } from '../captured-worlds.ts'

const MUTATIONS = Number(process.env.WAYBILL_HANDOFF_MUTATIONS ?? repetitions(2_000))
const SEED = Number(process.env.WAYBILL_SEED ?? 20261124)

async function* parts(...given: readonly (Uint8Array | string)[]): AsyncGenerator<Uint8Array> {
  for (const part of given) yield typeof part === 'string' ? Buffer.from(part) : part
}

const read = async (
  given: readonly (Uint8Array | string)[],
  options: Partial<ReadHandoffOptions> = {},
): Promise<AgentState> =>
  (await readHandoff(parts(...given), { verifyInit: async () => undefined, ...options })).state

describe('a streaming handoff', () => {
  let document: AgentState
  let lines: readonly string[]

  before(async () => {
    // A run in the middle of a swarm, with text of several bytes per character, memory, and a pending call.
    const found: AgentState[] = []
    await test('captured', async (t) => {
      const world = await worldOf(t, 'a swarm')
      await world.start()
      let state = initialState(ROOT, world.program.plan.agent_id, world.program.hash)
      for (const event of world.events()) {
        state = apply(state, event)
        if (state.end === null) found.push(captureOf(world, state))
      }
    })
    const middle = found[found.length >> 1] ?? assert.fail()
    document = {
      ...middle,
      conversation: [
        { role: 'user', content: 'grüß 👩‍💻 \u2028 line' },
        { role: 'assistant', content: '' },
        { role: 'tool', content: '{"a":1}', tool_call_id: 'c1', tool_name: 'look' },
      ],
      memory_snapshot: [
        { scope: 'task', key: 'k', content: 'c', backend: 'in_memory', ttl_remaining_seconds: 5 },
      ],
      pending_tool_calls: [{ id: 'c2', tool_name: 'send', arguments: { to: 'ada' }, status: 'in_flight' }],
      subagent_states: [
        { alias: 'a', agent_id: middle.agent_id, status: 'pending' },
        { alias: 'b', agent_id: middle.agent_id, state_id: middle.state_id, status: 'running' },
      ],
      variables: { x: { y: [1, 2.5, 'z', null] } },
    }
    lines = [...writeHandoff(document, { token: 'a.b.c', chunkMessages: 1 })]
  })

  test('AAIF-8.3-12: rebuilds the state from its messages', async () => {
    const rebuilt = await read(lines)
    assert.deepEqual(rebuilt, JSON.parse(JSON.stringify(streamedState(document))))
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).type),
      [
        'handoff_init',
        ...Array(3).fill('context_chunk'),
        'memory_item',
        'pipeline_state',
        'pending_tool',
        'subagent_ref',
        'handoff_complete',
      ],
    )
    // Both are valid: the stream by the rules of streams, the state by those of states.
    assert.equal(parseHandoffStream(lines.join('')).length, lines.length)
    assert.equal(parseAgentState(rebuilt as never).status, 'migrating')
    assert.equal(JSON.parse(lines.at(-1) ?? '').checksum, streamedChecksum(rebuilt))
  })

  test('AAIF-8.3-02: is the same however its bytes are cut, with and without a last line break', async () => {
    const bytes = Buffer.from(lines.join(''))
    const whole = await read([bytes])
    for (let at = 0; at <= bytes.length; at += 1)
      assert.deepEqual(await read([bytes.subarray(0, at), bytes.subarray(at)]), whole)
    assert.deepEqual(await read([...bytes].map((byte) => Uint8Array.of(byte))), whole)
    assert.deepEqual(await read([bytes.subarray(0, -1)]), whole)
  })

  test('AAIF-8.3-06: nothing after the first line is read before the token is verified', async () => {
    let asked = 0
    let isVerified = false
    async function* slow(): AsyncGenerator<Uint8Array> {
      for (const line of lines) {
        asked++
        yield Buffer.from(line)
      }
    }
    const refused = readHandoff(slow(), {
      verifyInit: async ({ migration_token }) => {
        assert.equal(migration_token, 'a.b.c')
        await new Promise((resolve) => setTimeout(resolve, 20))
        assert.equal(asked, 1)
        throw new WaybillError('STATE_TOKEN_EXPIRED', { message: 'it has expired' })
      },
    })
    await assert.rejects(refused, { code: 'STATE_TOKEN_EXPIRED' })
    assert.equal(asked, 1)
    await read(lines, {
      verifyInit: async () => {
        isVerified = true
        return undefined
      },
    })
    assert.ok(isVerified)
    // Broken later lines do not matter if the token is refused.
    await assert.rejects(
      read([lines[0] ?? '', 'nonsense\n'], {
        verifyInit: async () => {
          throw new WaybillError('STATE_TOKEN_INVALID', { message: 'no' })
        },
      }),
      { code: 'STATE_TOKEN_INVALID' },
    )
  })

  const at = (index: number) => lines.at(index) ?? assert.fail()
  const without = (index: number) => lines.filter((_, n) => n !== index)
  const swapped = (a: number, b: number) =>
    lines.map((line, n) => lines[n === a ? b : n === b ? a : n] ?? line)
  const changed = (index: number, change: (message: Record<string, unknown>) => unknown) =>
    lines.map((line, n) => (n === index ? `${JSON.stringify(change(JSON.parse(line)))}\n` : line))
  const inserted = (index: number, line: string) => [...lines.slice(0, index), line, ...lines.slice(index)]

  const FAILURES: Readonly<Record<string, readonly [code: string, () => readonly (Uint8Array | string)[]]>> =
    {
      'AAIF-8.3-07: no init': ['HANDOFF_FAILED', () => lines.slice(1)],
      'AAIF-8.3-07: a repeated init': ['HANDOFF_FAILED', () => inserted(1, at(0))],
      'AAIF-8.3-07: init as the second line': ['HANDOFF_FAILED', () => swapped(0, 1)],
      'AAIF-8.3-08: handoff_error': ['HANDOFF_FAILED', () => [...lines.slice(0, 4), handoffError('X', 'y')]],
      'AAIF-8.3-08: handoff_error as the first line': ['HANDOFF_FAILED', () => [handoffError('X', 'y')]],
      'AAIF-8.3-09: handoff_complete after handoff_error': [
        'HANDOFF_FAILED',
        () => inserted(4, handoffError('X', 'y')),
      ],
      'AAIF-8.3-10: a flipped digit of the checksum': [
        'STATE_CHECKSUM_MISMATCH',
        () =>
          changed(-1 + lines.length, ({ checksum, ...more }) => ({
            ...more,
            checksum: String(checksum).replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
          })),
      ],
      'AAIF-8.3-10: other variables': [
        'STATE_CHECKSUM_MISMATCH',
        () => changed(5, (one) => ({ ...one, variables: {} })),
      ],
      'AAIF-8.3-10: another x-waybill': [
        'STATE_CHECKSUM_MISMATCH',
        () => changed(0, (one) => ({ ...one, 'x-waybill': {} })),
      ],
      'AAIF-8.3-10: a missing memory item': ['STATE_CHECKSUM_MISMATCH', () => without(4)],
      'AAIF-8.3-10: a repeated memory item': ['STATE_CHECKSUM_MISMATCH', () => inserted(4, at(4))],
      'AAIF-8.3-10: a missing pending call': ['STATE_CHECKSUM_MISMATCH', () => without(6)],
      'AAIF-8.3-11: nothing': ['HANDOFF_FAILED', () => []],
      'AAIF-8.3-11: only the first line': ['HANDOFF_FAILED', () => lines.slice(0, 1)],
      'AAIF-8.3-11: no last line': ['HANDOFF_FAILED', () => lines.slice(0, -1)],
      'AAIF-8.3-11: half of the last line': [
        'HANDOFF_FAILED',
        () => [...lines.slice(0, -1), at(-1).slice(0, 30)],
      ],
      'AAIF-8.3-10: a checksum over a position that was not sent': [
        'STATE_CHECKSUM_MISMATCH',
        () => without(5),
      ],
      'AAIF-8.3-12: two positions': ['HANDOFF_FAILED', () => inserted(5, at(5))],
      'AAIF-8.3-13: a line after handoff_complete': ['HANDOFF_FAILED', () => [...lines, at(4)]],
      'AAIF-8.3-13: handoff_complete twice': ['HANDOFF_FAILED', () => [...lines, at(-1)]],
      'AAIF-8.3-13: a blank line at the end': ['HANDOFF_FAILED', () => [...lines, '\n']],
      'SPEC-S-04: a missing chunk': ['HANDOFF_FAILED', () => without(2)],
      'SPEC-S-04: a repeated chunk': ['HANDOFF_FAILED', () => inserted(2, at(1))],
      'SPEC-S-04: chunks in another order': ['HANDOFF_FAILED', () => swapped(2, 3)],
      'SPEC-S-04: a first chunk with the index 1': [
        'HANDOFF_FAILED',
        () => changed(1, (one) => ({ ...one, index: 1 })),
      ],
      'AAIF-8.3-02: a blank line': ['HANDOFF_FAILED', () => inserted(1, '\n')],
      'AAIF-8.3-02: an array': ['HANDOFF_FAILED', () => inserted(1, '[1]\n')],
      'AAIF-8.3-02: a line without a type': ['HANDOFF_FAILED', () => inserted(1, '{}\n')],
      'AAIF-8.3-02: two objects on one line': [
        'HANDOFF_FAILED',
        () => [at(0), `${at(1).trim()}${at(2)}`, ...lines.slice(3)],
      ],
      'AAIF-8.3-02: a repeated member': [
        'HANDOFF_FAILED',
        () => lines.map((line, n) => (n === 5 ? line.replace('{', '{"iteration":0,') : line)),
      ],
      'AAIF-8.3-03: an unknown type': ['HANDOFF_FAILED', () => inserted(1, '{"type":"context"}\n')],
      'SPEC-S-02: a chunk without messages': [
        'HANDOFF_FAILED',
        () => inserted(1, '{"type":"context_chunk","index":0}\n'),
      ],
      'AAIF-8.3-01: bytes that are not UTF-8': [
        'HANDOFF_FAILED',
        () => [at(0), Uint8Array.of(0xff, 10), ...lines.slice(1)],
      ],
      'AAIF-8.3-01: a byte order mark': ['HANDOFF_FAILED', () => ['\ufeff', ...lines]],
      'AAIF-8.3-01: UTF-16': ['HANDOFF_FAILED', () => [Buffer.from(lines.join(''), 'utf16le')]],
    }
  for (const [name, [code, make]] of Object.entries(FAILURES))
    test(`${name} fails, and nothing is kept`, async () => {
      await assert.rejects(read(make()), (error) => error instanceof WaybillError && error.code === code)
    })

  test('a line that is too long is refused before it has arrived, and so is a long stream', async () => {
    let sent = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(at(0))
      for (;;) {
        sent++
        yield Buffer.alloc(1000, 'x')
      }
    }
    await assert.rejects(
      readHandoff(endless(), { verifyInit: async () => undefined, maxLineBytes: 100_000 }),
      {
        code: 'HANDOFF_FAILED',
      },
    )
    assert.ok(sent <= 101, `${sent} parts were read`)
    const longest = Math.max(...lines.map((line) => Buffer.byteLength(line) - 1))
    await read(lines, { maxLineBytes: longest })
    await assert.rejects(read(lines, { maxLineBytes: longest - 1 }), { code: 'HANDOFF_FAILED' })
    const size = Buffer.byteLength(lines.join(''))
    await read(lines, { maxBytes: size })
    await assert.rejects(read(lines, { maxBytes: size - 1 }), { code: 'HANDOFF_FAILED' })
  })

  test('a conversation that is taken is not gathered, and what is gathered beside it is limited', async () => {
    const taken: (readonly unknown[])[] = []
    const take = async (messages: readonly unknown[]) => {
      await new Promise((resolve) => setImmediate(resolve))
      taken.push(messages)
    }
    const options = { verifyInit: async () => take }
    const { state, checksum } = await readHandoff(parts(...lines), options)
    assert.deepEqual(taken.flat(), document.conversation)
    assert.deepEqual(state.conversation, [])
    assert.equal(checksum, streamedChecksum(streamedState(document)))
    const others = lines.slice(1).filter((line) => !line.includes('context_chunk'))
    const held = others.reduce((sum, line) => sum + line.length - 1, 0)
    await readHandoff(parts(...lines), { ...options, maxHeldBytes: held })
    for (const refused of [
      () => readHandoff(parts(...lines), { ...options, maxHeldBytes: held - 1 }),
      () => read(lines, { maxHeldBytes: held }),
    ])
      await assert.rejects(refused, { code: 'HANDOFF_FAILED' })
  })

  test('what the taker of a conversation throws ends the stream', async () => {
    const verifyInit = async () => async () => {
      throw new WaybillError('STATE_TOKEN_EXPIRED', { message: 'no place' })
    }
    await assert.rejects(readHandoff(parts(...lines), { verifyInit }), { code: 'STATE_TOKEN_EXPIRED' })
  })

  test('a state whose line would be too long is not streamed', () => {
    const huge = { ...document, variables: { x: 'x'.repeat(17 * 1024 * 1024) } }
    assert.throws(() => [...writeHandoff(huge, { token: 'x' })], { code: 'STATE_NOT_STREAMABLE' })
  })

  test('an interrupted input is an error, not a state', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(lines.slice(0, 5).join(''))
      throw new Error('ECONNRESET')
    }
    await assert.rejects(readHandoff(broken(), { verifyInit: async () => undefined }), /ECONNRESET/)
  })

  test(`${MUTATIONS} changed streams: each fails with a code, or brings exactly what was sent`, async () => {
    const random = randomNumbers(SEED)
    const original = Buffer.from(lines.join(''))
    const whole = JSON.stringify(await read([original]))
    const pick = (below: number) => Math.floor(random() * below)
    const token = original.indexOf('a.b.c')
    let accepted = 0
    for (let n = 0; n < MUTATIONS; n++) {
      let bytes = Buffer.from(original)
      for (let changes = 1 + pick(3); changes > 0; changes--) bytes = Buffer.from(mutated(bytes, pick))
      let state: AgentState
      try {
        state = await read([bytes.subarray(0, pick(bytes.length)), bytes].slice(1))
      } catch (error) {
        assert.ok(error instanceof WaybillError, `seed ${SEED}, change ${n}: ${error}`)
        assert.match(error.code, /^(HANDOFF_FAILED|STATE_CHECKSUM_MISMATCH)$/)
        continue
      }
      accepted++
      // White space, and members that no reader knows, are not under the checksum; the token is verified by itself.
      assert.equal(JSON.stringify(state), whole, `seed ${SEED}, change ${n}`)
    }
    assert.ok(token > 0 && accepted < MUTATIONS / 2, `${accepted} were accepted`)
  })
})

/** Changes, removes, repeats or moves bytes or lines. */
function mutated(bytes: Buffer, pick: (below: number) => number): Uint8Array {
  const at = pick(bytes.length)
  const to = Math.min(bytes.length, at + 1 + pick(40))
  const rows = bytes.toString('latin1').split('\n')
  const row = pick(rows.length)
  switch (pick(7)) {
    case 0:
      bytes[at] = pick(256)
      return bytes
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)])
    case 2:
      return Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)])
    case 3:
      return bytes.subarray(0, at)
    case 4:
      return Buffer.from(rows.filter((_, n) => n !== row).join('\n'), 'latin1')
    case 5:
      return Buffer.from(
        [...rows.slice(0, row), rows[pick(rows.length)] ?? '', ...rows.slice(row)].join('\n'),
        'latin1',
      )
    default: {
      const digits = ['0', '9', 'null', '"', '}', '[', '\\', '\n', '\u0000', ' ']
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(digits[pick(digits.length)] ?? ''),
        bytes.subarray(at),
      ])
    }
  }
}
