// An MCP server on its standard streams that answers a call with the text in its argument `raw`, in which ID stands for
// the id of the call.
import { createInterface } from 'node:readline'

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

createInterface(process.stdin).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') {
    const { protocolVersion } = params
    return say({
      id,
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } },
    })
  }
  if (method !== 'tools/call')
    return id !== undefined && say({ id, error: { code: -32601, message: 'no such method' } })
  const { raw, base64, fill } = params.arguments
  const text = raw.replaceAll('ID', String(id)).replace('FILL', () => 'x'.repeat(fill ?? 0))
  process.stdout.write(
    base64 === undefined
      ? `${text}\n`
      : Buffer.concat([Buffer.from(text), Buffer.from(base64, 'base64'), Buffer.from('"}]}}\n')]),
  )
})
