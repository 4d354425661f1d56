import { type BlockKind, blockKind } from './block-kind.ts'
import { settledLength, styledInline } from './inline-markdown.ts'
import { tableLines } from './table-lines.ts'
import type { TextStream } from './text-stream.ts'
import { WordWrap } from './word-wrap.ts'

/** The longest part of a paragraph in characters that is held back, for example because a bracket is not closed. */
const LONGEST_HELD = 2000
const WIDTH = 80

/**
 * Shows Markdown on a terminal while it is generated. It only appends: text is written once its meaning is certain, word
 * by word in paragraphs, line by line in code, and a table at its end. So no text flickers, and none is lost. The source
 * must not contain control characters.
 */
export class MarkdownStream implements TextStream {
  readonly #wrap: WordWrap
  readonly #columns: () => number | undefined
  /** Text of the current line that has no place yet. */
  #line = ''
  /** Whether the current line belongs to the open paragraph, so that it needs no classification. */
  #inText = false
  /** Source of the open paragraph that is not shown yet. */
  #held = ''
  #open = false
  #fence: string | null = null
  #rows: string[] = []
  #gap = false
  #begun = false

  constructor(write: (text: string) => void, columns: () => number | undefined) {
    this.#columns = columns
    this.#wrap = new WordWrap(write, columns)
  }

  push(text: string): void {
    const lines = text.split('\n')
    for (const [index, part] of lines.entries()) this.#take(part, index < lines.length - 1)
  }

  end(): void {
    if (this.#line !== '') this.#take('', true)
    this.#endText()
    this.#endTable()
    this.#fence = null
    this.#inText = false
    this.#gap = false
    this.#begun = false
  }

  #take(part: string, complete: boolean): void {
    if (this.#inText) {
      this.#held += part
    } else {
      this.#line += part
      const kind = this.#kind(complete)
      if (kind !== null) {
        const line = this.#line
        this.#line = ''
        this.#place(kind, line)
      }
    }
    if (complete) this.#inText = false
    if (this.#open) this.#showSettled()
  }

  #kind(complete: boolean): BlockKind | null {
    if (this.#fence !== null) return complete ? { kind: 'text' } : null
    return blockKind(this.#line, complete)
  }

  #place(kind: BlockKind, line: string): void {
    if (this.#fence !== null) {
      this.#codeLine(line, this.#fence)
      return
    }
    if (kind.kind !== 'row') this.#endTable()
    switch (kind.kind) {
      case 'blank':
        this.#endText()
        this.#gap = this.#begun
        return
      case 'rule':
        this.#endText()
        this.#block()
        this.#wrap.verbatim(`\x1b[2m${'─'.repeat(Math.min(40, this.#width - 1))}\x1b[22m`)
        return
      case 'fence':
        this.#endText()
        this.#block()
        this.#fence = kind.mark
        if (kind.language.trim() !== '') this.#wrap.verbatim(`  \x1b[2m${kind.language.trim()}\x1b[22m`)
        return
      case 'heading':
        this.#beginText('', '')
        this.#wrap.push(`\x1b[1m\x1b[36m${styledInline(kind.text)}\x1b[39m\x1b[22m`)
        this.#endText()
        return
      case 'quote':
        this.#beginText('\x1b[2m│\x1b[22m ', '\x1b[2m│\x1b[22m ')
        this.#continue(line.slice(kind.rest))
        return
      case 'item': {
        const indent = kind.indent.replaceAll('\t', '    ').slice(0, 24)
        this.#beginText(`${indent}${kind.bullet}`, ' '.repeat(indent.length + kind.bullet.length))
        this.#continue(line.slice(kind.rest))
        return
      }
      case 'row':
        this.#endText()
        this.#rows.push(line)
        return
      case 'text':
        if (this.#open) this.#held += '\n'
        else this.#beginParagraph(line)
        this.#continue(line.trimStart())
        return
    }
  }

  /** Begins a paragraph; an indented one belongs to the list item above it. */
  #beginParagraph(line: string): void {
    const indent = (/^[ \t]*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').slice(0, 24)
    this.#beginText(indent, indent)
  }

  #beginText(first: string, hanging: string): void {
    this.#endText()
    this.#block()
    this.#open = true
    this.#wrap.begin(first, hanging)
  }

  #continue(text: string): void {
    this.#held += text
    this.#inText = true
  }

  #showSettled(): void {
    const length = this.#held.length > LONGEST_HELD ? this.#held.length : settledLength(this.#held)
    if (length === 0) return
    this.#wrap.push(styledInline(this.#held.slice(0, length)))
    this.#held = this.#held.slice(length)
  }

  #endText(): void {
    if (!this.#open) return
    this.#wrap.push(styledInline(this.#held))
    this.#wrap.endLine()
    this.#held = ''
    this.#open = false
  }

  #codeLine(line: string, fence: string): void {
    const end = line.trim()
    if (end.length >= fence.length && end === (fence[0] as string).repeat(end.length)) this.#fence = null
    else this.#wrap.verbatim(`  \x1b[36m${line}\x1b[39m`)
  }

  #endTable(): void {
    const rows = this.#rows
    if (rows.length === 0) return
    this.#rows = []
    this.#block()
    const lines = tableLines(rows, this.#width)
    for (const line of lines ?? rows) {
      if (lines === null) this.#wrap.push(styledInline(line))
      else this.#wrap.push(line)
      this.#wrap.endLine()
    }
  }

  /** Writes the blank line between two blocks, if the source has one. */
  #block(): void {
    if (this.#gap) this.#wrap.verbatim('')
    this.#gap = false
    this.#begun = true
  }

  get #width(): number {
    return this.#columns() ?? WIDTH
  }
}
