import { resolve } from 'node:path'
import { Command } from 'commander'
import { loadExtensions } from '../../compose/extensions.ts'
import { capabilityFacts } from '../../compose/host-facts.ts'
import { hostManifest } from '../../plan/host-manifest.ts'
import type { Config } from '../../settings/config-schema.ts'
import { homePath } from '../../settings/home.ts'
import { readConfig } from '../../settings/read-config.ts'
import type { PlatformManifest } from '../../spec/aaif/generated/manifest.ts'
import { writeWhole } from '../files/write-result.ts'
import type { Io } from '../io.ts'
import { formatOption, jsonOption } from '../options/run-options.ts'
import { productVersion } from '../product-version.ts'
import { jsonText } from '../terminal/plain-text.ts'

interface Options {
  readonly output?: string
  readonly config?: string
}

export function manifestCommand(io: Io, _exit: (code: number) => void): Command {
  return new Command('manifest')
    .description('print the manifest of this platform: the capabilities that it offers')
    .option('-o, --output <file>', 'write to this file')
    .option('--config <file>', 'use this configuration instead of the one in ~/.waybill')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async ({ output, config }: Options) => {
      const file = config === undefined ? undefined : resolve(io.cwd, config)
      const manifest = await manifestOf(readConfig(homePath(io.env), file))
      const text = `${jsonText(manifest, 2)}\n`
      if (output === undefined) io.out(text)
      else writeWhole(output, text, io)
    })
}

/** Returns the manifest of this platform with a configuration. */
export async function manifestOf({ residency = {}, extensions = [] }: Config): Promise<PlatformManifest> {
  const facts = await capabilityFacts(residency, await loadExtensions(extensions))
  return hostManifest(productVersion(), new Date().toISOString(), facts)
}

const EXAMPLES = `
Examples:
  $ waybill manifest
  $ waybill manifest -o aaif-manifest.json
`
