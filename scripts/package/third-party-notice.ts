import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const RULE = '-'.repeat(80)

/**
 * Returns the text that lists the licences of bundled packages, in the order of the folders.
 * @param folders the packages below node_modules
 * @throws Error when a package has neither a licence file nor a licence in its package.json
 */
export function thirdPartyNotice(folders: readonly string[]): string {
  const parts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      name: string
      version: string
      license?: string
    }
    const [file] = globSync('{LICENSE,LICENCE,License,license}*', { cwd: folder }).sort()
    if (file === undefined || license === undefined) throw new Error(`${name} states no licence`)
    const text = readFileSync(join(folder, file), 'utf8').trim()
    return `${RULE}\n${name} ${version} (${license})\n${RULE}\n\n${text}\n`
  })
  return `Waybill contains code of the following packages, under their own licences.\n\n${parts.join('\n')}`
}
