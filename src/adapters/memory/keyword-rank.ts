import { DatabaseSync } from 'node:sqlite'

/**
 * Orders texts by BM25, those without any of the words left out. SQLite's full-text search does it, over just these
 * texts: the words that others keep have no influence on the order, and in no way can be learnt from it.
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
    // Quoted, so that no word is taken for an operator.
    const match = [...new Set(words)].slice(0, MOST_WORDS).map((word) => `"${word}"`)
    const rows = db
      .prepare('SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts), rowid')
      .all(match.join(' OR ')) as { rowid: number }[]
    return rows.map(({ rowid }) => rowid)
  } finally {
    db.close()
  }
}

/** An input may be a whole document; the parser of SQLite takes so many terms and no more. */
const MOST_WORDS = 200
