import { answer, id, moment, namesOf, request, type Typed, text } from '../../../src/http/schema.ts'
import type { Page, PageOf } from '../../../src/run/record/records.ts'

const SETTINGS = {
  title: id('The title.'),
  user: id('The user that it is about.'),
}

export const newNote = request(SETTINGS, ['title'])

const NOTE = {
  id: text('Names the note.'),
  ...SETTINGS,
  created_at: moment('When it was created.'),
  created_by: text('Who has created it.'),
}

export const noteView = answer('A note.', NOTE, namesOf(NOTE, ['user']))
export const noteWithSecret = answer('A new note.', { ...NOTE, secret: text('Shown once.') }, [
  ...namesOf(NOTE, ['user']),
  'secret',
])

/** The notes of an organisation. Methods throw MEMORY_NOT_FOUND for a note that is not there. */
export interface Notes {
  list(page: Page): Promise<PageOf<Typed<typeof noteView>>>
  read(id: string): Promise<Typed<typeof noteView>>
  /** @param id the same for a repeated request */
  create(note: Typed<typeof newNote>, id?: string): Promise<Typed<typeof noteWithSecret>>
  change(id: string, note: Typed<typeof newNote>): Promise<Typed<typeof noteView>>
  remove(id: string): Promise<void>
}
