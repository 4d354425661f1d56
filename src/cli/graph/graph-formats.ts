import { extname } from 'node:path'

/** The formats of a graph, with the endings of their files. */
export const GRAPH_FORMATS = {
  text: ['.txt'],
  mermaid: ['.mmd', '.mermaid'],
  svg: ['.svg'],
  dot: ['.dot', '.gv'],
  json: ['.json'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type GraphFormat = keyof typeof GRAPH_FORMATS

/** Returns the format of a file by its ending, or undefined. */
export function formatOfFile(file: string): GraphFormat | undefined {
  const ending = extname(file).toLowerCase()
  const found = Object.entries(GRAPH_FORMATS).find(([, endings]) =>
    (endings as readonly string[]).includes(ending),
  )
  return found?.[0] as GraphFormat | undefined
}
