import { canonicalize, sha256 } from '../../document/canonical.ts'
import type { Encoding } from '../../document/document.ts'
import { assertSafeToSign } from '../../trust/safe-to-sign.ts'
import { readAnyDocument } from '../files/read-any-document.ts'
import { writeWhole } from '../files/write-result.ts'
import type { Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { jsonText } from '../terminal/plain-text.ts'

export interface CanonicalizeOptions extends FormatOptions {
  readonly from?: Encoding
  readonly output?: string
}

/** Writes the canonical form (RFC 8785) of a document to a file or to standard output. */
export async function canonicalizeFile(file: string, options: CanonicalizeOptions, io: Io): Promise<void> {
  const document = await readAnyDocument(file, io, options.from)
  assertSafeToSign(document)
  const canonical = canonicalize(document.value)
  if (options.output !== undefined) writeWhole(options.output, canonical, io)
  if (wantsJson(options)) io.out(`${jsonText({ canonical, sha256: sha256(canonical) })}\n`)
  // No line break is added, because these bytes are the input of the hash.
  else if (options.output === undefined) io.out(canonical)
}
