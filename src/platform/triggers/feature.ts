import type { Feature, Opened } from '../feature.ts'
import { type HooksParts, hooksOf } from './receive-hook.ts'
import { hookRoutes, TRIGGER_ROUTES } from './routes.ts'
import { TRIGGER_TABLES } from './tables.ts'
import type { Triggers } from './trigger.ts'
import { firingWork, type TriggerEngine } from './trigger-engine.ts'
import { triggersOf } from './triggers.ts'

/** @public It is named by the declarations of the package. */
export interface TriggerParts {
  /** The engine performs firings; requests use it too, so its owner stops it. */
  readonly triggers: HooksParts & { readonly firings: TriggerEngine }
}

export const TRIGGERS = {
  name: 'triggers',
  tables: TRIGGER_TABLES,
  members: {
    triggers: (opened: Opened, { triggers }: TriggerParts): Triggers =>
      triggersOf({ ...opened, ...triggers }),
  },
  tags: { triggers: 'What starts runs without a request: schedules, webhooks, messages and events.' },
  routes: TRIGGER_ROUTES,
  publicRoutes: ({ triggers }: TriggerParts) => hookRoutes(hooksOf(triggers)),
  work:
    ({ triggers }: TriggerParts) =>
    () =>
      firingWork(triggers.firings),
} satisfies Feature<TriggerParts, { readonly triggers: Triggers }>
