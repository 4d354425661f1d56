import { basename, sep } from 'node:path'
import { defined } from '../../document/defined.ts'
import { type Issue, type Severity, WaybillError } from '../../document/issue.ts'
import { MAX_STREAM_BYTES } from '../../document/read-lines.ts'
import { whyUnreadable } from '../../document/why-unreadable.ts'
import { judgeFile } from '../../spec/judge-file.ts'
import { KINDS, type Kind } from '../../spec/kinds.ts'
import { rulesOf } from '../../spec/rule-catalogue.ts'
import { findFiles, readFound } from '../files/find-files.ts'

/** One file of a corpus: the expected and the actual result. */
export interface CorpusCase {
  readonly file: string
  readonly kind: Kind | null
  readonly expected: 'valid' | 'invalid'
  /** The rule that the name of an invalid file begins with. */
  readonly rule?: string
  readonly passed: boolean
  /** The reason for the failure. */
  readonly reason?: string
  readonly issues: readonly Pick<Issue, 'severity' | 'code' | 'pointer' | 'message' | 'rule'>[]
}

/**
 * Validates each document of a corpus. A document in a folder `valid` must have no error. A document in a folder
 * `invalid` must be refused; if its name begins with a rule id, by that rule. A parent folder with the name of a kind
 * sets the kind of its documents; otherwise the kind is detected.
 * @throws CORPUS_EMPTY, FILE_UNREADABLE, FILE_NOT_REGULAR
 */
export async function runCorpus(folder: string, cwd: string): Promise<readonly CorpusCase[]> {
  const found = await findFiles(folder, cwd, true)
  const { files, searched } = 'files' in found ? found : { files: [], searched: undefined }
  const cases = files.flatMap((file) => {
    const expected = expectationOf(file)
    return expected === undefined ? [] : [judge(file, readCorpusFile(file, cwd, searched), expected)]
  })
  if (cases.length > 0) return cases
  throw new WaybillError('CORPUS_EMPTY', {
    fault: 'usage',
    file: folder,
    message: 'missing' in found ? found.missing : 'no document found in a folder named "valid" or "invalid"',
    hint: 'put the documents into folders valid/ and invalid/',
  })
}

/** @throws FILE_UNREADABLE, FILE_NOT_REGULAR */
function readCorpusFile(file: string, cwd: string, searched: string | undefined): Buffer {
  try {
    return readFound(file, cwd, searched, MAX_STREAM_BYTES + 1)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new WaybillError(code === 'FILE_NOT_REGULAR' ? code : 'FILE_UNREADABLE', {
      fault: 'usage',
      file,
      message: `the document cannot be read: ${whyUnreadable(cause)}`,
      hint: 'a corpus contains regular files; check its permissions, and its links',
      cause,
    })
  }
}

/** Returns the expectation that the nearest folder `valid` or `invalid` sets. */
function expectationOf(file: string): CorpusCase['expected'] | undefined {
  const name = file
    .split(sep)
    .slice(0, -1)
    .findLast((part) => part === 'valid' || part === 'invalid')
  return name as CorpusCase['expected'] | undefined
}

function judge(file: string, bytes: Buffer, expected: CorpusCase['expected']): CorpusCase {
  const said = file.split(sep).findLast((part): part is Kind => (KINDS as readonly string[]).includes(part))
  const { kind, issues } = judgeFile(bytes, { file }, said)
  const rule = expected === 'invalid' ? ruleIn(file, kind) : undefined
  const reason = expected === 'valid' ? whyNotValid(kind, issues) : whyNotRefused(kind, issues, rule)
  return {
    file,
    kind: kind ?? null,
    expected,
    ...defined({ rule }),
    passed: reason === undefined,
    ...defined({ reason }),
    issues: issues.map(({ severity, code, pointer, message, rule: broken }) => ({
      severity,
      code,
      pointer,
      message,
      ...defined({ rule: broken }),
    })),
  }
}

const errorsOf = (issues: readonly Issue[]) =>
  issues.filter(({ severity }: { severity: Severity }) => severity === 'error')

function whyNotValid(kind: Kind | undefined, issues: readonly Issue[]): string | undefined {
  const [first] = errorsOf(issues)
  if (first !== undefined) return `refused: ${first.code} ${first.message}`
  return kind === undefined ? 'refused: unknown kind of document' : undefined
}

function whyNotRefused(
  kind: Kind | undefined,
  issues: readonly Issue[],
  rule: string | undefined,
): string | undefined {
  const errors = errorsOf(issues)
  // A document of an unknown kind is refused.
  if (errors.length === 0) return kind === undefined && issues.length === 0 ? undefined : 'accepted'
  if (rule === undefined || errors.some((issue) => issue.rule === rule)) return undefined
  const others = [...new Set(errors.map((issue) => issue.rule ?? issue.code))]
  return `refused, but by ${others.join(', ')} and not by ${rule}`
}

/** Returns the rule that a file must violate: AAIF-4-03 for `AAIF-4-03-no-goal.json`, undefined without a rule id. */
function ruleIn(file: string, kind: Kind | undefined): string | undefined {
  const name = basename(file)
  return (kind === undefined ? KINDS : [kind])
    .flatMap(rulesOf)
    .map(({ id }) => id)
    .filter((id) => name.startsWith(`${id}-`) || name.startsWith(`${id}.`))
    .sort((a, b) => b.length - a.length)[0]
}
