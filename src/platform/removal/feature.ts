import type { Feature, Opened } from '../feature.ts'
import type { RemovalIn } from './removal.ts'
import { REMOVAL_ROUTES } from './routes.ts'
import { REMOVAL_TABLES } from './tables.ts'
import { removalOf } from './tenant-removal.ts'
import { type RemovalOptions, RemovalWorker } from './work.ts'

/** @public It is named by the declarations of the package. */
export interface RemovalNeeds {
  readonly removal: RemovalOptions
}

export const REMOVAL = {
  name: 'removal',
  tables: REMOVAL_TABLES,
  members: {
    removal:
      ({ org, within }: Opened, { removal: { nextEntry, removeKey } }: RemovalNeeds): RemovalIn =>
      async (organisation = org) =>
        removalOf({ ...(await within(organisation)), nextEntry, removeKey }),
  },
  tags: { erasures: 'Permanent removal of all data of a user.' },
  routes: REMOVAL_ROUTES,
  work:
    ({ removal }: RemovalNeeds) =>
    (host) =>
      new RemovalWorker(host, removal),
} satisfies Feature<RemovalNeeds, { readonly removal: RemovalIn }>
