// An MCP server that asks a person before it acts, made with the official libraries: REVISION (2026 or 2025), TRANSPORT
// (stdio or http) and LOG, a file that gets a line for each effect.
import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

// The library of the earlier revisions is a dependency of the reference server.
const { resolve } = createRequire(import.meta.url)
const load = createRequire(resolve('@modelcontextprotocol/server-everything/dist/index.js'))
const earlierPart = (name) => load(`@modelcontextprotocol/sdk/${name}.js`)
const { Server: EarlierServer } = earlierPart('server/index')
const { StdioServerTransport } = earlierPart('server/stdio')
const { StreamableHTTPServerTransport } = earlierPart('server/streamableHttp')
const { CallToolRequestSchema, ListToolsRequestSchema, UrlElicitationRequiredError } = earlierPart('types')

const [revision, transport, log] = process.argv.slice(2)
const note = (text) => appendFileSync(log, `${text}\n`)
const text = (value) => ({ content: [{ type: 'text', text: value }] })

const FORM = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 2, title: 'City' },
    nights: { type: 'integer', minimum: 1, default: 2 },
    breakfast: { type: 'boolean', default: true },
    room: { type: 'string', enum: ['single', 'double'], default: 'double' },
  },
  required: ['city'],
}
const STAY = 'Which city, and for how long?'
const NAME = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const VISIT = 'https://pay.example/authorise?order=7'

/** Each tool, by what `ask(key, params)` answers; in the 2026 revision it is undefined until there is an answer. */
const TOOLS = {
  async book(ask) {
    const given = await ask('stay', { message: STAY, requestedSchema: FORM })
    if (given === undefined) return
    if (given.action !== 'accept') return text(`not booked: ${given.action}`)
    const { city, nights, breakfast, room } = given.content
    note(`booked ${city} ${nights} ${breakfast} ${room}`)
    return text(`booked ${city} for ${nights}`)
  },
  async two(ask) {
    const given = await Promise.all([
      ask('stay', { message: STAY, requestedSchema: FORM }),
      ask('guest', { message: 'Who travels?', requestedSchema: NAME }),
    ])
    if (given.includes(undefined)) return
    const [stay, guest] = given
    note(`booked ${stay.content?.city} for ${guest.content?.name}`)
    return text(`${stay.action} ${guest.action}`)
  },
  async twice(ask) {
    const first = await ask('stay', { message: STAY, requestedSchema: FORM })
    if (first === undefined) return
    const second = await ask('guest', {
      message: `Who travels to ${first.content?.city}?`,
      requestedSchema: NAME,
    })
    if (second === undefined) return
    note(`booked ${first.content?.city} for ${second.content?.name}`)
    return text(`${first.content?.city} ${second.content?.name}`)
  },
  async visit(ask) {
    const given = await ask('pay', {
      mode: 'url',
      message: 'Please pay.',
      url: VISIT,
      elicitationId: 'pay-7',
    })
    if (given === undefined) return
    note(`paid ${given.action}`)
    return text(`paid: ${given.action}`)
  },
  async always(ask, round) {
    const given = await ask(`again_${round}`, { message: `And now? ${randomUUID()}`, requestedSchema: NAME })
    return given === undefined ? undefined : TOOLS.always(ask, round + 1)
  },
  async plain() {
    note('plain')
    return text('plain')
  },
}
let visits = 0
const EARLIER_TOOLS = {
  ...TOOLS,
  async visit_first() {
    visits += 1
    if (visits === 1)
      throw new UrlElicitationRequiredError([
        { mode: 'url', elicitationId: 'e1', url: VISIT, message: 'Please pay.' },
      ])
    note('visited')
    return text('visited')
  },
  async impatient(ask) {
    try {
      const given = await ask('stay', { message: STAY, requestedSchema: FORM }, { timeout: 200 })
      return text(`answered ${given.content?.city}`)
    } catch {
      note('made without an answer')
      return text('made without an answer')
    }
  },
  async gives_up(ask) {
    const given = await ask('stay', { message: STAY, requestedSchema: FORM }, { timeout: 200 })
    note(`booked ${given.content?.city}`)
    return text(`booked ${given.content?.city}`)
  },
  async slow() {
    await sleep(300)
    return text('slow')
  },
}

if (revision === '2025') {
  if (transport === 'stdio') await earlier().connect(new StdioServerTransport())
  else {
    const sessions = new Map()
    listen(async (request, response, body) => {
      const known = sessions.get(request.headers['mcp-session-id'])
      if (known !== undefined) return known.handleRequest(request, response, body)
      const own = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id) => sessions.set(id, own),
      })
      await earlier().connect(own)
      await own.handleRequest(request, response, body)
    })
  }
} else if (transport === 'stdio') serveStdio(modern, { legacy: 'reject' })
else {
  const handler = createMcpHandler(modern, { legacy: 'reject' })
  listen(async (request, response, body) => {
    const init = {
      method: request.method,
      headers: request.headers,
      ...(body && { body: JSON.stringify(body) }),
    }
    const answer = await handler.fetch(new Request(`http://127.0.0.1${request.url}`, init))
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
}

function earlier() {
  const server = new EarlierServer({ name: 'asking', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.keys(EARLIER_TOOLS).map((name) => ({ name, inputSchema: { type: 'object' } })),
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { sendRequest, requestId }) => {
    note(`called ${params.name}`)
    const ask = (_key, given, options) =>
      server.elicitInput({ mode: 'form', ...given }, { relatedRequestId: requestId, ...options })
    return EARLIER_TOOLS[params.name](sendRequest && ask, 1)
  })
  return server
}

/** Has the form of a token: what goes back to the server must not be changed. */
const TOKEN = `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')}.${Buffer.from('{"sub":"order-7","iat":1790000000}').toString('base64url')}.c2lnbmF0dXJlLW9mLXRoZS1zdGF0ZS0xMjM0NTY3OA`

/** The state is bound to the tool that was called, as a server should do. */
function modern() {
  const server = new McpServer({ name: 'asking', version: '1' })
  for (const name of Object.keys(TOOLS))
    server.registerTool(name, { description: name }, async (ctx) => {
      note(`called ${name}`)
      const state = ctx.mcpReq.requestState()
      const before = state === undefined ? undefined : JSON.parse(state)
      if (before !== undefined && before.tool !== name) throw new Error(`the state of ${before.tool}`)
      if (before !== undefined && !before.token.startsWith(TOKEN)) throw new Error('the state was changed')
      const answers = { ...before?.answers, ...ctx.mcpReq.inputResponses }
      const asked = {}
      const ask = async (key, { elicitationId: _id, ...params }) => {
        if (answers[key] !== undefined) return answers[key]
        asked[key] = params.mode === 'url' ? inputRequired.elicitUrl(params) : inputRequired.elicit(params)
      }
      const result = await TOOLS[name](ask, 1)
      const requestState = JSON.stringify({ tool: name, answers, token: `${TOKEN}${randomUUID()}` })
      return result ?? inputRequired({ inputRequests: asked, requestState })
    })
  return server
}

function listen(handle) {
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const body = chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString())
    await handle(request, response, body)
  })
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
}
