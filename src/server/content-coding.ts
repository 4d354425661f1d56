import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** How the bytes of an answer are compressed; `identity` is not at all. */
export type Coding = 'br' | 'gzip' | 'identity'

/** The smallest answer first. */
const CODINGS = ['br', 'gzip'] as const

/**
 * Returns the coding that a client prefers by its header `accept-encoding` (RFC 9110 §12.5.3); of equal ones, the
 * smallest. A client that accepts none gets the bytes as they are.
 */
export function chooseCoding(header: string | undefined): Coding {
  const qualities = readQualities(header ?? '')
  // What the header does not name is refused, except `identity`, which comes last.
  const qualityOf = (coding: string) => qualities.get(coding) ?? qualities.get('*') ?? 0
  const best = CODINGS.reduce<{ readonly coding: Coding; readonly quality: number }>(
    (best, coding) => (qualityOf(coding) > best.quality ? { coding, quality: qualityOf(coding) } : best),
    { coding: 'identity', quality: 0 },
  )
  return best.quality >= (qualities.get('identity') ?? 0) ? best.coding : 'identity'
}

/** A part that is not well-formed is skipped. */
function readQualities(header: string): ReadonlyMap<string, number> {
  const parts = header.split(',').flatMap((part) => {
    const [, coding = '', quality = '1'] =
      /^[ \t]*([\w!#$%&'*+.^`|~-]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/i.exec(part) ??
      []
    return coding === '' ? [] : [[coding.toLowerCase().replace(/^x-gzip$/, 'gzip'), Number(quality)] as const]
  })
  return new Map(parts)
}

/** Compresses bytes in a thread of Node.js, not on the event loop. */
export async function encodeBytes(bytes: Uint8Array, coding: Coding): Promise<Uint8Array> {
  if (coding === 'gzip') return promisify(gzip)(bytes)
  if (coding === 'br')
    return promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        // The best takes ten times as long for a tenth less.
        [constants.BROTLI_PARAM_QUALITY]: 9,
      },
    })
  return bytes
}
