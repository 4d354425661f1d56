import { encodeDocument } from '../../document/encode-document.ts'
import type { Json } from '../../document/json.ts'
import type { AgentCard } from './generated/agent-card.ts'
import { parseAgentCard } from './parse-agent-card.ts'

/**
 * The canonical form of a card (AgentCard §3): a JSON object in UTF-8, without a byte order mark, members in their
 * order. Served as `application/agentcard+json`, kept as `*.agentcard.json`.
 * @throws WaybillError when it is no valid card: what readers would refuse is not written.
 */
export function encodeAgentCard(card: AgentCard): Uint8Array {
  return encodeDocument(parseAgentCard(card as unknown as Json) as unknown as Json)
}

/**
 * The form for a place in another document that takes only text, such as the answer of an MCP tool (§3): the card's
 * JSON as a string value, which the writer of that document escapes.
 * @throws WaybillError when it is no valid card.
 */
export function embedAgentCard(card: AgentCard): string {
  return JSON.stringify(parseAgentCard(card as unknown as Json))
}
