// An MCP server on its standard streams that does what the JSON in its first argument says, so that tests can have
// what no well-behaved server does. Members: tools, pages, log, meta, mute, greet, dieOn, stubborn, notes, hello (the
// result of the handshake), lists (the results of tools/list, in order; `null` is an error, `silent` no answer).
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const given = process.argv[2] ?? '{}'
const script = JSON.parse(existsSync(given) ? readFileSync(given, 'utf8') : given)
const tools = script.tools ?? [{ name: 'send', description: 'Sends.', inputSchema: { type: 'object' } }]
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const note = (text) => script.log && appendFileSync(script.log, `${text}\n`)

if (script.notes) process.stderr.write(`${script.notes.map((name) => process.env[name] ?? name).join(' ')}\n`)
if (script.fail) process.exit(1)
if (script.stubborn) {
  process.on('SIGTERM', () => note('SIGTERM'))
  setInterval(() => {}, 1000)
}
note(`pid ${process.pid}`)

createInterface(process.stdin).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') {
    const { protocolVersion } = params
    if (script.hello !== undefined) return say({ id, result: script.hello })
    return say({
      id,
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
    })
  }
  if (method === 'tools/list') return list(id, params?.cursor)
  if (method === 'tools/call') return call(id, params)
  if (method === 'notifications/cancelled') return note(`cancelled ${params.requestId}`)
  if (id !== undefined) say({ id, error: { code: -32601, message: 'no such method' } })
})

function list(id, cursor) {
  note('listed')
  if (script.lists !== undefined) {
    const result = script.lists.length > 1 ? script.lists.shift() : script.lists[0]
    // It says nothing, and is well.
    if (result === 'silent') return note('silent')
    return say(result === null ? { id, error: { code: -32000, message: 'not today' } } : { id, result })
  }
  if (script.pages === undefined) return say({ id, result: { tools } })
  const at = Number(cursor ?? 0)
  const next = script.circle ? (at + 1) % script.pages : at + 1
  const page = tools.slice(at * (tools.length / script.pages), (at + 1) * (tools.length / script.pages))
  say({ id, result: { tools: page, ...(next < script.pages && { nextCursor: String(next) }) } })
}

function call(id, { name, arguments: args, _meta }) {
  note(
    `called ${name} ${JSON.stringify(args)} ${_meta?.['waybill/idempotency-key'] ?? ''} ${_meta?.traceparent ?? ''}`,
  )
  if (script.meta) note(`meta ${JSON.stringify(_meta)}`)
  if (script.dieOn === name) process.exit(1)
  if (script.mute === name) return
  if (script.refuse === name) return say({ id, error: { code: -32000, message: 'not today' } })
  say({ id, result: script.result ?? { content: [{ type: 'text', text: `${name} done` }] } })
}
