import { EXIT, type ExitCode, type Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine, plainText } from '../terminal/plain-text.ts'
import { askServers, labelOf, type ServerTool, type ToolsOptions } from './server-tools.ts'

/** `waybill tools diff`: what is not as it was pinned, with both texts, since they are what a model acts on. */
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
    if (equal) io.err(`everything is as it was pinned in ${lockFile}\n`)
    else if (different.some(({ state }) => state !== 'unreachable'))
      io.err(`accept what is right with \`waybill tools pin ${file}\`, or name the tools that are\n`)
  }
  return equal ? EXIT.ok : EXIT.no
}

type Line = readonly ['bad' | 'good' | 'faint', string, string]

function linesOf({ state, reason, before, after }: ServerTool): readonly Line[] {
  if (reason !== undefined) return [['faint', ' ', plainLine(reason, 300)]]
  if (state === 'changed' && before?.description === after?.description)
    return [['faint', ' ', 'its description is the same; its parameters or its result are not']]
  return [...lines('bad', '-', before?.description), ...lines('good', '+', after?.description)]
}

function lines(tone: 'bad' | 'good', mark: string, text: string | undefined): readonly Line[] {
  if (text === undefined) return []
  return plainText(text)
    .split('\n')
    .map((line) => [tone, mark, line] as const)
}
