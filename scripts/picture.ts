/** Draws the picture of the README from the output of the program: `npm run picture`. */
import { writeFileSync } from 'node:fs'
import { firstMinute, PICTURE } from './picture/first-minute.ts'

writeFileSync(PICTURE, await firstMinute())
process.stdout.write(`${PICTURE}\n`)
