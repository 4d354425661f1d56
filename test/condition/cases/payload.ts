/** The payload of all case tables: an event of a code host, and misleading values. */
export const payload = {
  action: 'opened',
  confidence: 0.87,
  retries: 3,
  zero: 0,
  draft: false,
  merged: true,
  nothing: null,
  empty: '',
  none: [],
  bare: {},
  type: 'pull_request',
  labels: ['bug', 'urgent', 'área'],
  task: { type: 'code_review', intent: 'refund', priority: 2 },
  author: { login: 'ada', roles: ['admin', 'dev'], email: 'ada@example.org', manager: null },
  files: [
    { path: 'src/a.ts', added: 10, tags: ['core'], review: { ok: true } },
    { path: 'src/b.ts', added: 250, tags: [], review: { ok: false } },
    { path: 'docs/c.md', added: 3, tags: ['docs', 'core'], review: null },
  ],
  matrix: [
    [1, 2],
    [3, 4],
  ],
  'odd name': 'yes',
  emoji: '😀x',
  at: '2026-03-29T01:30:00Z',
} as const
