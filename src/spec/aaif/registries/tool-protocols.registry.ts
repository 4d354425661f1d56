import type { Registry } from '../generated/registry.ts'

/** `tools[].protocol` (§4.4). */
export const toolProtocolsRegistry: Registry = {
  registry: 'aaif-tool-protocols',
  sc_standard: 'SC-006',
  description:
    'Protocols of tools. Every platform must support them, so the list changes only with the format.',
  registration_policy: 'Standards Action',
  entries: [
    protocol('function', '1.0.0', false, 'A function in the process of the platform.'),
    protocol('mcp', '2.0.0', true, 'An MCP server, by mcp:// or the address of its transport.'),
    protocol('http', '2.0.0', true, 'An HTTP endpoint, by its full URL.'),
    protocol('openapi', '2.0.0', true, 'The operations of an OpenAPI document, by its URL or path.'),
  ],
}

function protocol(id: string, since: string, needs_endpoint: boolean, meaning: string) {
  return { id, status: 'standard', since, needs_endpoint, meaning } as const
}
