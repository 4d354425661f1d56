import type { Io } from '../io.ts'
import type { TextStream } from './markdown/text-stream.ts'

/**
 * Returns how text of a model is shown: Markdown as styles on a terminal with colour, text with line breaks between words
 * on a terminal without. Returns undefined if a program reads the text: it stays as it is.
 */
export async function textFormat(
  io: Io,
  json = false,
): Promise<((write: (text: string) => void) => TextStream) | undefined> {
  if (!(json ? io.errIsTty : io.outIsTty || io.errIsTty)) return undefined
  const columns = () => io.columns
  if (io.color) {
    // Loaded here: most commands show no text of a model.
    const { MarkdownStream } = await import('./markdown/markdown-stream.ts')
    return (write) => new MarkdownStream(write, columns)
  }
  const { PlainStream } = await import('./markdown/plain-stream.ts')
  return (write) => new PlainStream(write, columns)
}

/** Returns a complete text as the terminal shows it. It ends with a line feed. */
export async function formattedText(text: string, io: Io): Promise<string> {
  let shown = ''
  const stream = (await textFormat(io))?.((piece) => {
    shown += piece
  })
  if (stream === undefined) shown = text
  stream?.push(text)
  stream?.end()
  return shown.endsWith('\n') ? shown : `${shown}\n`
}
