import { Option } from 'commander'

/** The option of commands that also work on a server. */
export function serverOption(): Option {
  return new Option('--server <url>', 'use this server (default: the one that `waybill login` keeps)')
}
