import { createRequire } from 'node:module'
import { defined } from '../document/defined.ts'
import type { Document } from '../document/document.ts'
import type { Issue } from '../document/issue.ts'
import type { Json } from '../document/json.ts'
import { lazyModule } from '../document/lazy-module.ts'
import { type ReadOptions, type ReadResult, readDocument } from '../document/read-document.ts'
import { isLinesFile } from '../document/read-lines.ts'
import type * as Stream from './aaif/read-handoff-stream.ts'
import { type Detected, detectKind, type JudgeOptions, type Kind } from './kinds.ts'
import type * as Neighbours from './neighbour-issue.ts'
import { validatorOf } from './validator-of.ts'

const require = createRequire(import.meta.url)
const loadNeighbours = lazyModule<typeof Neighbours>(() => require('./neighbour-issue.ts'))
const loadStream = lazyModule<typeof Stream>(() => require('./aaif/read-handoff-stream.ts'))

/** The kind of a file, and all its issues. */
export interface JudgedFile extends Partial<Detected> {
  /** Absent if the file could not be read as a document. */
  readonly document?: Document
  /** Without a kind: says what the file is if its format is known; else empty. */
  readonly issues: readonly Issue[]
  /** The name of the format of a document that is not ours, if it is known. */
  readonly format?: string
}

/**
 * Reads and validates the bytes of one file of any kind.
 * @param kind the kind of the file; detected by name and shape if absent
 */
export function judgeFile(
  bytes: Uint8Array,
  reading: ReadOptions,
  kind?: Kind,
  options: JudgeOptions & { readonly registries?: readonly Json[] } = {},
): JudgedFile {
  // A stream is read line by line, so it must be detected before it is read.
  const stream = kind === STREAM || (kind === undefined && isLinesFile(reading.file ?? ''))
  const read = stream ? readStreamed(bytes, reading) : readDocument(bytes, reading)
  const given = stream ? STREAM : kind
  if (read.document === undefined) {
    const other = given === undefined ? neighbour(bytes, undefined, reading) : undefined
    return other ?? { ...defined({ kind: given }), issues: read.issues }
  }
  const { document } = read
  const detected: Partial<Detected> = detectKind(document.value) ?? {}
  const is = given === undefined || given === detected.kind ? detected : { kind: given }
  if (is.kind !== undefined) return { ...is, document, issues: validatorOf(is.kind)(document, options) }
  return { ...(neighbour(bytes, document.value, reading) ?? { issues: [] }), document }
}

function neighbour(
  bytes: Uint8Array,
  value: Json | undefined,
  { file }: ReadOptions,
): Pick<JudgedFile, 'issues' | 'format'> | undefined {
  const { neighbourIssue, neighbourOfFile } = loadNeighbours()
  const found = neighbourOfFile(bytes, value, file)
  return found === undefined ? undefined : { format: found.format, issues: [neighbourIssue(found)] }
}

const STREAM = 'aaif.handoff-stream' as const

/** Loaded with the first stream: most files are not streams. */
function readStreamed(bytes: Uint8Array, reading: ReadOptions): ReadResult {
  return loadStream().readHandoffStream(bytes, reading)
}
