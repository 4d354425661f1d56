import { type Command, Option } from 'commander'
import { wholeNumber } from '../options/whole-number.ts'

/** The options of commands that serve HTTP. */
export interface ServerCommandOptions {
  readonly port?: number
  readonly host?: string
  readonly trustedProxy?: readonly string[]
  readonly publicUrl?: string
  readonly cert?: string
  readonly key?: string
}

export function addServerOptions(command: Command): Command {
  return command
    .addOption(new Option('--port <port>', 'listen on this port').argParser(wholeNumber).default(4400))
    .option(
      '--host <address>',
      'listen on this address (default: 127.0.0.1); others than loopback need TLS or --trusted-proxy, --public-url, and an admin token of your own',
    )
    .option(
      '--trusted-proxy <range...>',
      'the address or CIDR range of a proxy that speaks TLS: only its x-forwarded headers count',
    )
    .option('--public-url <url>', 'the URL under which clients reach the server')
    .option('--cert <file>', 'a TLS certificate (PEM); needs --key')
    .option('--key <file>', 'the private key of the certificate (PEM)')
}
