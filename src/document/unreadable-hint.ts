import { statSync } from 'node:fs'

/**
 * Returns how to correct a file that cannot be read, for the two mistakes that mounts of containers make: a folder in
 * the place of a file, and a file that keeps the owner of another machine.
 * @param cause the error of the file system
 * @param otherwise the hint for other errors
 */
export function unreadableHint(path: string, cause: unknown, otherwise: string): string {
  switch ((cause as NodeJS.ErrnoException | undefined)?.code) {
    case 'EISDIR':
      return 'give a file; Docker mounts a new folder in the place of a file that does not exist: remove the folder, write the file, and create the container again'
    case 'EACCES':
    case 'EPERM':
      return permissionHint(path) ?? otherwise
    default:
      return otherwise
  }
}

/** Undefined: the owner is unknown, because a folder above the file cannot be entered, or on Windows. */
function permissionHint(path: string): string | undefined {
  const [user, group] = [process.getuid?.(), process.getgid?.()]
  if (user === undefined || group === undefined) return undefined
  try {
    const { uid, gid, mode } = statSync(path)
    const owner = `user ${uid} and group ${gid}, mode ${(mode & 0o7777).toString(8).padStart(4, '0')}`
    return `this process is user ${user} and group ${group}, and the file has ${owner}; let this group alone read it: chgrp ${group} FILE && chmod 640 FILE (where the file is mounted from)`
  } catch {
    return `this process is user ${user} and group ${group}: let it enter each folder of this path`
  }
}
