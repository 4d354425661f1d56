/**
 * Returns a sentence that names the command which lists what a command works on.
 * @param name of the command, such as `runs show`
 */
export function listFor(name: string): string {
  return name.startsWith('approvals ')
    ? '`waybill approvals list` lists the waiting calls'
    : '`waybill runs list` lists the runs'
}
