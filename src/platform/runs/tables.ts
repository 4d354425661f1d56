import type { Tables } from '../database/tables.ts'

export const RUN_TABLES: Tables = {
  steps: [],
  tables: {
    batches: { owner: 'who has started them', kept: 'named by runs, which are never removed by themselves' },
  },
}
