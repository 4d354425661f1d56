import { OPERATORS, READERS, routesOf } from '../../../src/http/route.ts'
import { PAGE, pageOf, removed } from '../../../src/http/schema.ts'
import type { Feature, Opened } from '../../../src/platform/feature.ts'
import { TABLES } from '../../../src/platform/features.ts'
import { type Notes, newNote, noteView, noteWithSecret } from './note.ts'
import { notesOf } from './notes.ts'

const route = routesOf<{ readonly notes: Notes }>()
const shared = { tag: 'notes', access: OPERATORS } as const

/** A feature that the product does not have. It is added by this folder and a line in the list of features. */
export const NOTES = {
  name: 'notes',
  tags: { notes: 'Notes of the members.' },
  tables: {
    steps: [
      {
        n: TABLES.steps.length + 1,
        name: 'notes',
        sql: `CREATE TABLE waybill.notes (org text NOT NULL REFERENCES waybill.organisations, id text NOT NULL, title text NOT NULL,
          user_id text, secret text NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), created_by text NOT NULL, PRIMARY KEY (org, id))`,
      },
    ],
    tables: { notes: { kept: 'made by people' } },
    erase: ['DELETE FROM waybill.notes WHERE org = $1 AND user_id = $2'],
  },
  members: { notes: (opened: Opened): Notes => notesOf(opened) },
  routes: [
    route({
      ...shared,
      method: 'GET',
      path: '/v1/notes',
      name: 'listNotes',
      summary: 'Lists the notes.',
      access: READERS,
      query: PAGE,
      answers: { 200: { description: 'A page.', schema: pageOf(noteView) } },
      handle: async ({ tenant, query }) => ({ status: 200, json: await tenant.notes.list(query) }),
    }),
    route({
      ...shared,
      method: 'POST',
      path: '/v1/notes',
      name: 'createNote',
      summary: 'Creates a note.',
      body: { kind: 'json', schema: newNote },
      answers: { 201: { description: 'The note.', schema: noteWithSecret } },
      async handle({ tenant, body, resourceId }) {
        const { secret, ...kept } = await tenant.notes.create(body, resourceId)
        return { status: 201, json: { ...kept, secret }, kept }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: '/v1/notes/{note}',
      name: 'readNote',
      summary: 'Returns a note.',
      access: READERS,
      answers: { 200: { description: 'The note.', schema: noteView } },
      handle: async ({ tenant, params }) => ({ status: 200, json: await tenant.notes.read(params.note) }),
    }),
    route({
      ...shared,
      method: 'PUT',
      path: '/v1/notes/{note}',
      name: 'changeNote',
      summary: 'Changes a note.',
      body: { kind: 'json', schema: newNote },
      answers: { 200: { description: 'The note.', schema: noteView } },
      handle: async ({ tenant, params, body }) => ({
        status: 200,
        json: await tenant.notes.change(params.note, body),
      }),
    }),
    route({
      ...shared,
      method: 'DELETE',
      path: '/v1/notes/{note}',
      name: 'removeNote',
      summary: 'Removes a note.',
      answers: { 200: { description: 'How many were removed.', schema: removed } },
      async handle({ tenant, params }) {
        await tenant.notes.remove(params.note)
        return { status: 200, json: { removed: 1 } }
      },
    }),
  ],
} satisfies Feature<unknown, { readonly notes: Notes }>
