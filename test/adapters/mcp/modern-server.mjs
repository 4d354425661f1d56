// An MCP server with only the 2026 revision, on its standard streams.
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

serveStdio(
  () => {
    const server = new McpServer({ name: 'modern', version: '1' })
    server.registerTool('tell', { description: 'Tells.' }, () => ({
      content: [{ type: 'text', text: 'told' }],
    }))
    return server
  },
  { legacy: 'reject' },
)
