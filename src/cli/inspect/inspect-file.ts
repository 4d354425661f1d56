import { sha256OfCanonical } from '../../document/canonical.ts'
import { defined } from '../../document/defined.ts'
import type { Document } from '../../document/document.ts'
import { type Issue, WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import { createRedactor } from '../../secret/redact.ts'
import { homePath } from '../../settings/home.ts'
import { judgeFile } from '../../spec/judge-file.ts'
import type { Kind } from '../../spec/kinds.ts'
import { assertSafeToSign } from '../../trust/safe-to-sign.ts'
import { readTrustedKeys } from '../../trust/trust-store.ts'
import { type Verdict, verifyEmbedded } from '../../trust/verify.ts'
import { readFileOrInput } from '../files/read-any-document.ts'
import { unreadableDocument } from '../files/unreadable-document.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { UNKNOWN_KIND_HINT } from '../options/unknown-kind.ts'
import { count } from '../terminal/amounts.ts'
import { type Paint, painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import type { Inspection, Line } from './inspection.ts'
import { inspectorOf } from './inspector-of.ts'

export interface InspectOptions {
  readonly kind?: Kind
  readonly json?: boolean
  readonly format?: string
}

/** Prints the contents of a document, its validity, hash and signature, without network access (`waybill inspect`). */
export async function inspectFile(file: string, options: InspectOptions, io: Io): Promise<ExitCode> {
  const bytes = await readFileOrInput(file, io)
  const { kind, shape, document, issues } = judgeFile(bytes, file === '-' ? {} : { file }, options.kind)
  if (document === undefined) throw unreadableDocument(file, issues)
  if (kind === undefined) throw unknownKind(file, issues)
  const inspection = await (await inspectorOf(kind))(document.value, issues)
  const errors = issues.filter(({ severity }) => severity === 'error')
  const facts = createRedactor(new Map()).json({
    file,
    kind,
    ...defined({ shape }),
    valid: errors.length === 0,
    issues: countsOf(issues),
    encoding: document.encoding,
    bytes: bytes.byteLength,
    ...hashOf(document.value),
    signature: signatureOf(document, io),
    ...inspection.facts,
  } as unknown as Json)
  if (wantsJson(options)) io.out(`${jsonText(facts, 2)}\n`)
  else
    io.out(
      prettyText(file, facts as unknown as CommonFacts, inspection, errors, painter(io.color && io.outIsTty)),
    )
  return errors.length === 0 ? EXIT.ok : EXIT.no
}

/** The members of the machine form that the pretty form shows. */
interface CommonFacts {
  readonly kind: Kind
  readonly shape?: string
  readonly encoding: string
  readonly bytes: number
  readonly issues: Readonly<Record<'errors' | 'warnings' | 'notes', number>>
  readonly sha256?: string
  readonly signature: { readonly status: string; readonly reason: string }
}

function countsOf(issues: readonly Issue[]) {
  const count = (wanted: Issue['severity']) => issues.filter(({ severity }) => severity === wanted).length
  return { errors: count('error'), warnings: count('warning'), notes: count('info') }
}

/** Returns the SHA-256 of the canonical form, or an empty object if the data does not have one. */
function hashOf(value: Json): { sha256?: string } {
  try {
    return { sha256: sha256OfCanonical(value) }
  } catch {
    return {}
  }
}

function signatureOf(document: Document, io: Io): Omit<Verdict, 'ok' | 'form'> {
  try {
    const {
      ok: _ok,
      form: _form,
      ...verdict
    } = verifyEmbedded(document.value, readTrustedKeys(homePath(io.env)))
    if (verdict.status !== 'unsigned') assertSafeToSign(document)
    return verdict
  } catch (error) {
    // An unreadable trust store or an ambiguous text must not prevent the rest of the output.
    return { status: 'invalid', reason: messageOf(error) }
  }
}

function prettyText(
  file: string,
  common: CommonFacts,
  { headline, sections }: Inspection,
  errors: readonly Issue[],
  paint: Paint,
): string {
  const { kind, shape, encoding, bytes, issues, signature } = common
  const verdict =
    issues.errors === 0
      ? paint('good', `valid${issues.warnings > 0 ? `, ${count(issues.warnings, 'warning')}` : ''}`)
      : paint('bad', `${count(issues.errors, 'error')}; \`waybill validate ${plainLine(file)}\` shows them`)
  const blocks = [
    [
      paint('strong', plainLine(headline, 200)),
      paint('faint', `${kind}${shape === undefined ? '' : ` (${shape})`} · ${encoding} · ${sizeOf(bytes)}`),
      verdict,
      signatureLine(signature, paint),
    ],
    ...(errors.length === 0
      ? []
      : [errors.slice(0, 3).map(({ message }) => `  ${paint('bad', '✗')} ${plainLine(message)}`)]),
    ...sections
      .filter(({ lines }) => lines.length > 0)
      .map(({ title, lines }) => [
        paint('strong', title),
        ...lines.map((line) => lineText(line, lines, paint)),
      ]),
  ]
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function lineText({ mark, text, note, below }: Line, all: readonly Line[], paint: Paint): string {
  const sign = `${below === true ? '    ' : ''}${mark === undefined ? '' : `${paint(mark[0], mark[1])} `}`
  if (note === undefined) return `  ${sign}${plainLine(text, 300)}`
  const alike = all.filter((line) => line.note !== undefined && line.below === below)
  const width = Math.min(28, Math.max(...alike.map((line) => line.text.length)))
  return `  ${sign}${plainLine(text, 200).padEnd(below === true ? 0 : width)}  ${paint('faint', plainLine(note, 300))}`
}

function signatureLine({ status, reason }: CommonFacts['signature'], paint: Paint): string {
  switch (status) {
    case 'valid':
      return paint('good', plainLine(reason))
    case 'unsigned':
      return paint('faint', 'not signed')
    default:
      return paint('warn', `signature ${status.replace('_', ' ')}: ${plainLine(reason, 300)}`)
  }
}

function sizeOf(bytes: number): string {
  return bytes < 10_000 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KiB`
}

/** @param issues say what the document is, if its format is known */
function unknownKind(file: string, [known]: readonly Issue[]): WaybillError {
  return new WaybillError('KIND_UNKNOWN', {
    file,
    message: known?.message ?? 'unknown kind of document',
    hint: known?.hint ?? UNKNOWN_KIND_HINT,
  })
}
