// An MCP server that does not answer as it should. Arguments: what it does, and milliseconds for `slow`.
import { setTimeout as sleep } from 'node:timers/promises'

const [, , mode, ms] = process.argv
process.stdin.resume()
switch (mode) {
  case 'silent':
    // Also ignores the end of its input.
    setInterval(() => {}, 1000)
    break
  case 'notes':
    process.stderr.write('waiting for the database at db.example\n')
    setInterval(() => {}, 1000)
    break
  case 'garbage':
    process.stdout.write('Welcome to files 1.0!\nListening...\n')
    setInterval(() => {}, 1000)
    break
  case 'exits':
    process.stderr.write('files: no folder given\n')
    process.exit(1)
    break
  case 'slow':
    process.stdin.pause()
    await sleep(Number(ms))
    process.argv[2] = '{}'
    await import('./scripted-server.mjs')
    break
  case 'no-list': {
    const { createInterface } = await import('node:readline')
    createInterface(process.stdin).on('line', (line) => {
      const { id, method, params } = JSON.parse(line)
      if (method !== 'initialize') return
      const { protocolVersion } = params
      const result = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
    })
  }
}
