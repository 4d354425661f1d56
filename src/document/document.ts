import type { Issue } from './issue.ts'
import type { Json } from './json.ts'
import { fromPointer } from './json-pointer.ts'
import type { Place, Span } from './line-index.ts'
import { LineIndex } from './line-index.ts'

/** Positions of values and member names in a text. */
export interface SourceMap {
  /** Returns the span of a value, or of its member name; undefined if there is no such value. */
  find(steps: readonly string[], key: boolean): Span | undefined
}

export type Encoding = 'json' | 'yaml' | 'cbor' | 'msgpack'

/** A document: its data, and on demand the position of each value. */
export class Document {
  readonly value: Json
  readonly encoding: Encoding
  /** The source text; for a binary document its data as indented JSON, to which lines and columns refer. */
  readonly text: string
  readonly file: string | undefined
  /** Warnings from reading, such as integers that lost digits. */
  readonly warnings: readonly Issue[]
  readonly #openMap: () => SourceMap
  #map: SourceMap | undefined
  #lines: LineIndex | undefined

  constructor(read: {
    value: Json
    encoding: Encoding
    text: string
    file: string | undefined
    warnings: readonly Issue[]
    openMap: () => SourceMap
  }) {
    this.value = read.value
    this.encoding = read.encoding
    this.text = read.text
    this.file = read.file
    this.warnings = read.warnings
    this.#openMap = read.openMap
  }

  /**
   * Returns the position of a value, or with `key` of its member name (for array items and the root: the value). A
   * pointer without a value gives the position of its nearest existing ancestor.
   */
  locate(pointer: string, options: { readonly key?: boolean } = {}): Place {
    this.#map ??= this.#openMap()
    const steps = fromPointer(pointer)
    let span: Span | undefined
    for (; span === undefined && steps.length > 0; steps.pop()) {
      span = (options.key === true ? this.#map.find(steps, true) : undefined) ?? this.#map.find(steps, false)
    }
    return this.lines.place(span ?? this.#map.find([], false) ?? { offset: 0, length: 1 })
  }

  /** Returns the text of a value as it is written; undefined if there is no such value. */
  written(pointer: string): string | undefined {
    this.#map ??= this.#openMap()
    const span = this.#map.find(fromPointer(pointer), false)
    return span === undefined ? undefined : this.text.slice(span.offset, span.offset + (span.length ?? 1))
  }

  get lines(): LineIndex {
    this.#lines ??= new LineIndex(this.text)
    return this.#lines
  }
}
