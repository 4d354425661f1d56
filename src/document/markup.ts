import { escapeMarkup } from './escape-markup.ts'
import { escapeHidden, shownText } from './shown-text.ts'

/** HTML that may be part of a page: only {@link html} and {@link raw} make it. */
export interface Markup {
  readonly markup: string
}

type Part = string | number | Markup | readonly Markup[]

/** Returns HTML; each value that is not markup is escaped, also in attributes with double quotes. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const markup = texts.map((text, index) => {
    const part = parts[index]
    return part === undefined ? text : text + markupOf(part)
  })
  return { markup: markup.join('') }
}

/** Marks a text of this program as HTML. */
export function raw(markup: string): Markup {
  return { markup }
}

function markupOf(part: Part): string {
  if (typeof part === 'number') return String(part)
  if (typeof part === 'string') return escaped(part)
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('')
}

/** Escapes markup, and removes control sequences and invisible characters, as on a terminal. */
function escaped(text: string): string {
  return escapeMarkup(shownText(text))
}

/** Returns a value as indented JSON; characters that a person cannot see are escaped. */
export function jsonBlock(value: unknown): Markup {
  return html`<pre>${escapeHidden(JSON.stringify(value ?? null, null, 2))}</pre>`
}
