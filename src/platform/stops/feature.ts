import type { Feature, Opened } from '../feature.ts'
import { STOP_ROUTES } from './routes.ts'
import type { Stops } from './stop.ts'
import { type StopsParts, stopsOf } from './stops.ts'
import { STOP_TABLES } from './tables.ts'

export const STOPS = {
  name: 'stops',
  tables: STOP_TABLES,
  members: {
    stops: (opened: Opened, { notify }: Pick<StopsParts, 'notify'>): Stops =>
      stopsOf({ ...opened, records: opened.home, notify }),
  },
  tags: { stops: 'The stop switch for runs, agents, users and the organisation.' },
  routes: STOP_ROUTES,
} satisfies Feature<Pick<StopsParts, 'notify'>, { readonly stops: Stops }>
