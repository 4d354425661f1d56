import type { LockedOffer } from '../../plan/tool-lock.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine, plainText } from '../terminal/plain-text.ts'
import { askServers, labelOf, type ServerTool, type ToolsOptions } from './server-tools.ts'

/** Prints the tools that differ from the lock file, with both descriptions (`waybill tools diff`). */
export async function diffTools(file: string, options: ToolsOptions, io: Io): Promise<ExitCode> {
  const { lockFile, tools } = await askServers(file, options, io)
  const different = tools.filter(({ state }) => state !== 'pinned')
  const equal = different.length === 0
  if (wantsJson(options)) io.out(`${jsonText({ equal, lock_file: lockFile, tools: different })}\n`)
  else {
    const paint = painter(io.color && io.outIsTty)
    for (const tool of different) {
      io.out(`${tool.state} ${plainLine(labelOf(tool))}\n`)
      for (const [tone, mark, text] of linesOf(tool)) io.out(`  ${paint(tone, `${mark} ${text}`)}\n`)
    }
    if (equal) io.err(`all tools match ${lockFile}\n`)
    else if (different.some(({ state }) => state !== 'unreachable'))
      io.err(`to accept these changes: \`waybill tools pin ${file} [TOOL...]\`\n`)
  }
  return equal ? EXIT.ok : EXIT.no
}

type Line = readonly ['bad' | 'good' | 'faint', string, string]

function linesOf({ state, reason, before, after }: ServerTool): readonly Line[] {
  if (reason !== undefined) return [['faint', ' ', plainLine(reason, 300)]]
  if (state === 'changed' && before?.description === after?.description) return sameWords(before, after)
  return [...lines('bad', '-', before?.description), ...lines('good', '+', after?.description)]
}

function sameWords(before: LockedOffer | undefined, after: LockedOffer | undefined): readonly Line[] {
  const acts = ({ effect, idempotent = false }: Partial<LockedOffer> = {}) =>
    `effect: ${effect ?? 'not recorded'}${idempotent ? ', idempotent' : ''}`
  if (acts(before) !== acts(after))
    return [
      ['bad', '-', acts(before)],
      ['good', '+', acts(after)],
    ]
  return before?.sha256 === after?.sha256
    ? [
        [
          'faint',
          ' ',
          'same description and effect, but different hints, or another method, URL or operation',
        ],
      ]
    : [['faint', ' ', 'same description, but different parameters or a different result']]
}

function lines(tone: 'bad' | 'good', mark: string, text: string | undefined): readonly Line[] {
  if (text === undefined) return []
  return plainText(text)
    .split('\n')
    .map((line) => [tone, mark, line] as const)
}
