import { type Command, Option } from 'commander'
import { wholeNumber } from '../options/whole-number.ts'

/** The options of commands that serve HTTP. */
export interface ServerCommandOptions {
  readonly port?: number
  readonly publicUrl?: string
  readonly cert?: string
  readonly key?: string
}

export function addServerOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--port <port>', 'listen on this port of 127.0.0.1').argParser(wholeNumber).default(4400),
    )
    .option('--public-url <url>', 'the URL under which clients reach the server')
    .option('--cert <file>', 'a TLS certificate (PEM); needs --key')
    .option('--key <file>', 'the private key of the certificate (PEM)')
}
