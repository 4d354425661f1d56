import { sep } from 'node:path'

const MODULES = `${sep}node_modules${sep}`

/**
 * Returns the command that installs a package where this installation of Waybill finds it: in the project that Waybill
 * is installed in, beside a global installation, or in the checkout.
 * @param wanted name and version, such as `left-pad@1.3.0`
 * @param module path of any file of Waybill
 */
export function installCommand(wanted: string, module: string): string {
  const at = module.indexOf(MODULES)
  if (at === -1) return 'npm ci'
  const owner = module.slice(0, at)
  // npm keeps global packages in PREFIX/lib/node_modules, and those of a project in PROJECT/node_modules.
  return owner.endsWith(`${sep}lib`)
    ? `npm install --global --prefix ${quoted(owner.slice(0, -4))} ${wanted}`
    : `npm install --prefix ${quoted(owner)} ${wanted}`
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
