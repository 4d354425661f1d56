/** Says in words why a file cannot be read. @param error what the file system threw */
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
      return 'it may not be read: look at its permissions'
    default:
      return `it cannot be read: ${code ?? message}`
  }
}
