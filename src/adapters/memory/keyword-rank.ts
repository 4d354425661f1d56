import { DatabaseSync } from 'node:sqlite'

/**
 * Ranks texts by BM25 and omits those without any of the words. Uses SQLite full-text search over only these texts, so
 * that the items of other owners neither influence the order nor can be inferred from it.
 * @returns indexes into `texts`, best first
 */
export function keywordRank(query: string, texts: readonly string[]): readonly number[] {
  const words = query.match(/[\p{L}\p{N}]+/gu)
  if (words === null || texts.length === 0) return []
  const db = new DatabaseSync(':memory:')
  try {
    db.exec("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'porter unicode61')")
    db.exec('BEGIN')
    const insert = db.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)')
    for (const [index, text] of texts.entries()) insert.run(index, text)
    db.exec('COMMIT')
    // Quoted, so that words are not interpreted as operators.
    const match = [...new Set(words)].slice(0, MOST_WORDS).map((word) => `"${word}"`)
    const rows = db
      .prepare('SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts), rowid')
      .all(match.join(' OR ')) as { rowid: number }[]
    return rows.map(({ rowid }) => rowid)
  } finally {
    db.close()
  }
}

/** An input may be a whole document, but the parser of SQLite limits the number of terms. */
const MOST_WORDS = 200
