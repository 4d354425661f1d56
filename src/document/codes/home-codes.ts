import type { CodeEntries } from './code-entry.ts'

export const HOME_CODES = {
  HOME_EXPOSED: {
    meaning: 'Other users of this machine can change the home, and with it grants and keys. A warning.',
    remedy: 'Restrict the permissions of the folder: `chmod 700 ~/.waybill`.',
  },
  HOME_COPIED: {
    meaning:
      'The database of the home is a copy, or was put back from an older one, and a newer one may have continued its runs. A warning.',
    remedy:
      'Resume the runs that were active: each asks before a write that must not be repeated. Look where it leads to, then `waybill approvals assume`, `deny` or `resend`.',
  },
  HOME_UNREADABLE: {
    meaning: 'The home (`$WAYBILL_HOME`) or a file in it exists but cannot be read.',
    remedy: 'Check the owner and the permissions of the folder.',
  },
  LOGINS_DAMAGED: {
    meaning: 'The file with the tokens of servers (`logins.json`) cannot be read.',
    remedy: 'Remove the file, and use `waybill login` again.',
  },
  HOME_UNWRITABLE: {
    meaning: 'The home (`$WAYBILL_HOME`) or a file in it cannot be created or written.',
    remedy: 'Check the owner and the permissions of the folder, or set another `WAYBILL_HOME`.',
  },
  HOME_NETWORK_FILE_SYSTEM: {
    meaning: 'The home is on a network file system, where the locks of the database are not reliable.',
    remedy: 'Set `WAYBILL_HOME` to a folder on a local disk.',
  },
  HOME_LAYOUT_OLD: {
    meaning: 'The home contains files in the layout of an earlier version, which this version does not read.',
    remedy: 'Follow the hint, or set another `WAYBILL_HOME`.',
  },
  HOME_BUSY: {
    meaning: 'Other processes have been writing to the home for 10 seconds without a break.',
    remedy: 'Try again; if the error persists, find the process that has the database open.',
  },
  SQLITE_TOO_OLD: {
    meaning: 'The SQLite of this Node.js is too old for the database of the home.',
    remedy: 'Start Waybill with `bin/waybill`, or use a newer Node.js.',
  },
  RECORD_NEWER: {
    status: 503,
    meaning: 'The record was written by a later version of Waybill.',
    remedy: 'Use that version, or another `WAYBILL_HOME`.',
  },
  RECORD_DAMAGED: {
    status: 500,
    meaning: 'The record cannot be read: the database is damaged, or was changed by another program.',
    remedy: 'Restore it from a backup.',
  },
  DISK_FULL: {
    status: 507,
    meaning: 'The disk is full, so the record could not be written.',
    remedy: 'Free disk space, then resume the run.',
  },
  TOO_MANY_FILES: {
    meaning: 'The process or the system has reached its limit of open files.',
    remedy: 'Raise the limit (`ulimit -n`), or start fewer runs at the same time.',
  },
  OUTPUT_LOST: {
    meaning:
      'The output could not be written, for example because its reader closed the pipe; the record is complete.',
    remedy: 'Read the result with `waybill runs show`.',
  },
  RECORDS_CLOSED: {
    meaning: 'In code: records or an agent were used after they had been closed.',
    remedy: 'Open them again.',
  },
  CURSOR_INVALID: {
    meaning: 'The cursor of a list is not one that a list has returned.',
    remedy: 'Pass `next` of the previous page, or no cursor.',
  },
} satisfies CodeEntries
