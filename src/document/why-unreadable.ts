/** Returns the reason why a file cannot be read. @param error the error of the file system */
export function whyUnreadable(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'there is no such file'
    case 'EISDIR':
      return 'it is a folder'
    case 'EACCES':
    case 'EPERM':
      return 'permission denied'
    case 'ELOOP':
      return 'its links form a loop'
    case 'ENXIO':
      return 'it is a socket or a device, not a regular file'
    case 'FILE_NOT_REGULAR':
    case 'FILE_TOO_LARGE':
    case 'FILE_MOVED':
    case 'FILE_UNREADABLE':
      return message
    default:
      return `it cannot be read: ${code ?? message}`
  }
}
