import type { CodeEntries } from './code-entry.ts'

export const DATABASE_CODES = {
  DATABASE_UNREACHABLE: {
    status: 503,
    meaning: 'The database of the platform does not answer, or refuses the connection.',
    remedy: 'Check `DATABASE_URL`, and that PostgreSQL is running.',
  },
  DATABASE_NEWER: {
    status: 503,
    meaning: 'A later version of Waybill has migrated the database.',
    remedy: 'Use that version or a later one.',
  },
  DATABASE_OLDER: {
    meaning:
      'An older version of Waybill has prepared the database. Commands change no tables, because the processes of that version could not be started again then.',
    remedy:
      'Start a server or worker of this version first, which changes the tables, or use the version that runs there.',
  },
  DATABASE_DAMAGED: {
    status: 500,
    meaning: 'The schema of the database was changed by something other than Waybill.',
    remedy: 'Restore the database from a backup.',
  },
  DATABASE_ROLE_UNSAFE: {
    meaning:
      'Row-level security does not apply to the database role of requests, or the role cannot be set up.',
    remedy: 'Use a role that is not a superuser, has no BYPASSRLS and owns no tables.',
  },
  ORGANISATIONS_NOT_SEPARATED: {
    meaning: 'Acting as one organisation, the database role of requests could reach rows of another one.',
    remedy:
      'Let the owner set the rights again, and remove policies, rules and functions that others have added.',
  },
  DATABASE_NOT_EMPTY: {
    meaning: 'A backup is restored only into a database without agents, runs and further organisations.',
    remedy: 'Restore into a new database or another folder.',
  },
  BACKUP_FOLDER_USED: {
    meaning: 'The folder of a backup must be new or empty.',
    remedy: 'Name a new folder for each backup.',
  },
  BACKUP_DAMAGED: {
    meaning: 'A backup is incomplete, or a file of it has changed since it was written.',
    remedy: 'Use another backup.',
  },
  BACKUP_NEWER: {
    meaning: 'A later version of Waybill has written the backup.',
    remedy: 'Restore it with that version or a later one.',
  },
  DATABASE_NOT_EMBEDDED: {
    meaning: 'The PostgreSQL server that Waybill runs itself is missing, cannot start, or is in use.',
    remedy: 'Install the optional package for this platform, or set `DATABASE_URL`.',
  },
} as const satisfies CodeEntries
