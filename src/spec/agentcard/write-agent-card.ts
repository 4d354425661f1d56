import { encodeDocument } from '../../document/encode-document.ts'
import type { Json } from '../../document/json.ts'
import type { AgentCard } from './generated/agent-card.ts'
import { parseAgentCard } from './parse-agent-card.ts'

/**
 * Returns the canonical form of a card (AgentCard §3): a JSON object in UTF-8, without a byte order mark, with the
 * members in their order. Its media type is `application/agentcard+json`, its file name `*.agentcard.json`.
 * @throws WaybillError if the card is not valid.
 */
export function encodeAgentCard(card: AgentCard): Uint8Array {
  return encodeDocument(parseAgentCard(card as unknown as Json) as unknown as Json)
}

/**
 * Returns the form for a string member of another document, such as the answer of an MCP tool (§3): the JSON of the
 * card as a string value, which the writer of that document escapes.
 * @throws WaybillError if the card is not valid.
 */
export function embedAgentCard(card: AgentCard): string {
  return JSON.stringify(parseAgentCard(card as unknown as Json))
}
