import {
  InvalidResponseDataError,
  type LanguageModelV4StreamPart,
  type SharedV4Warning,
} from '@ai-sdk/provider'
import type { JsonObject } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'
import { ModelFailure } from '../../run/ports.ts'
import { collectWireIds, type GatheredAnswer, pieceOf } from './answer.ts'
import type { AnswerPiece } from './opaque-parts.ts'

type Draft = { type: 'text' | 'reasoning'; text: string; metadata?: JsonObject }

/**
 * Reads a streamed answer to its end, and passes each piece of text on immediately.
 * @throws ModelFailure if the stream ends before the answer is complete; otherwise the error of the stream.
 */
export async function readStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  onText: (delta: string) => void,
  onCall: () => void = () => {},
): Promise<GatheredAnswer> {
  const pieces: (AnswerPiece | Draft)[] = []
  const open = new Map<string, Draft>()
  const wireIds = new Set<string>()
  let warnings: readonly SharedV4Warning[] = []
  const start = (type: Draft['type'], id: string): Draft => {
    const draft: Draft = { type, text: '' }
    open.set(`${type} ${id}`, draft)
    pieces.push(draft)
    return draft
  }
  for await (const part of stream) {
    switch (part.type) {
      case 'stream-start':
        warnings = part.warnings
        break
      case 'text-delta': {
        const draft = open.get(`text ${part.id}`) ?? start('text', part.id)
        draft.text += part.delta
        if (part.delta !== '') onText(part.delta)
        break
      }
      case 'text-end':
        open.delete(`text ${part.id}`)
        break
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end': {
        const draft = open.get(`reasoning ${part.id}`) ?? start('reasoning', part.id)
        if (part.type === 'reasoning-delta') draft.text += part.delta
        // The signature follows the text of the reasoning.
        if (part.providerMetadata !== undefined)
          draft.metadata = merged(draft.metadata, part.providerMetadata)
        if (part.type === 'reasoning-end') open.delete(`reasoning ${part.id}`)
        break
      }
      case 'tool-input-start':
        onCall()
        break
      case 'tool-call':
        onCall()
        pieces.push(...pieceOf(part))
        break
      case 'raw':
        collectWireIds(part.rawValue, wireIds)
        break
      case 'error':
        // The library reports this if the stream ended without a finish reason.
        if (InvalidResponseDataError.isInstance(part.error)) throw cut()
        throw part.error
      case 'finish':
        if (part.finishReason.unified === 'interrupted') throw cut()
        return { pieces, finish: part.finishReason, usage: part.usage, warnings, wireIds }
      default:
        break
    }
  }
  throw cut()
}

function cut(): ModelFailure {
  return new ModelFailure(
    'unavailable',
    'MODEL_STREAM_CUT',
    'the stream ended before the answer was complete',
    undefined,
    undefined,
    { outcome: 'unknown' },
  )
}

function merged(before: JsonObject | undefined, added: object): JsonObject {
  const result: Record<string, JsonObject> = { ...(before as Record<string, JsonObject> | undefined) }
  for (const [provider, values] of Object.entries(added))
    result[provider] = { ...ownMember(result, provider), ...values }
  return result
}
