import { createHash, randomUUID } from 'node:crypto'
import { withLuhn } from './positives.ts'
import { Random } from './random.ts'

export interface NearMiss {
  /** What it is. */
  readonly what: string
  readonly text: string
}

const MAKERS: Readonly<Record<string, (random: Random) => string>> = {
  'order number': (r) =>
    r.pick(['order ', 'Order #', 'Bestellung ', 'commande n° ', 'pedido ']) +
    r.fill(
      r.pick(['########', '##########', '###-#######-#######', '####-####', 'A-#######', '###-###-####']),
    ),
  'tracking number': (r) =>
    r.fill(
      r.pick(['1ZN99AA1##########', '9400 #### #### #### #### ##', 'JD0146000########', 'RB#########DE']),
    ),
  UUID: (r) => uuid(r),
  hash: (r) =>
    createHash(r.pick(['md5', 'sha1', 'sha256']))
      .update(r.digits(9))
      .digest('hex'),
  commit: (r) => `fixed in ${createHash('sha1').update(r.digits(9)).digest('hex').slice(0, r.int(7, 12))}`,
  date: (r) =>
    r.fill(
      r.pick([
        '20##-1#-2#',
        '2#.1X.20##',
        '1#/2#/19##',
        '20##1#2#',
        '20##-1#-2#T1#:3#:2#.######Z',
        '2# March 20##',
      ]),
    ),
  'time stamp': (r) => r.pick([`17${r.digits(8)}`, `17${r.digits(11)}`, `17${r.digits(14)}`]),
  price: (r) =>
    r.fill(
      r.pick(['$X,###.##', 'X#.###,## €', '£X##.##', '¥X##,###', 'USD X ### ###.##', '1 2## 3##,## EUR']),
    ),
  version: (r) =>
    r.fill(
      r.pick([
        'v#.##.#',
        'version 1.#.#.##',
        'Chrome/12#.0.####.##',
        '#.#.#-rc.#',
        'release 20##.1#.#',
        'v10.0.190##.####',
      ]),
    ),
  ISBN: (r) => r.fill(r.pick(['ISBN 978-3-16-######-#', 'ISBN 0-306-#####-#', 'ISBN-13: 9783########X'])),
  decimal: (r) =>
    r.fill(r.pick(['0.############', '3.1415926#####', '-1#.########, 5#.########', '1.#e+##'])),
  table: (r) => Array.from({ length: 8 }, () => r.digits(r.int(1, 4))).join(r.pick([' ', ' | ', ', ', '\t'])),
  'card with a wrong digit': (r) => wrongCard(r),
  'private address': (r) =>
    r.fill(r.pick(['192.168.#.2#', '10.#.##.#', '127.0.0.1', 'fe80::1ff:fe23:####', '172.16.#.1#'])),
  code: (r) =>
    r.pick([
      'std::vector<int>',
      '@app.route("/x")',
      'npm i left-pad@1.3.0',
      'git@github.com:o/r.git',
      'user@localhost',
      '@media (min-width: 1024px)',
      'a[at]',
      'foo(at)',
      'array.at(dot)',
      'x = y @ z.T',
    ]),
  sentence: (r) =>
    r.pick([
      'Look at example.com today.',
      'Meet @ work. Then go.',
      'We were at the dot of the i.',
      'Call me Ishmael.',
      'Ring the bell 3 times.',
      'The 2023/2024 season had 38 games.',
      'See section 4.2.1.7 for more.',
      'In 1989 1 234 567 people lived there.',
    ]),
  'serial number': (r) =>
    r.fill(
      r.pick([
        'SN C02X####JG5J',
        'IMEI 35######0######',
        'MAC 0#:1#:2#:3#:4#:5#',
        'part no. ##-####-###',
        'SKU-########',
        'lot ##########',
      ]),
    ),
  range: (r) => r.fill(r.pick(['pages 1##-2##', '10#00-20#00', '19##-20##', '1#:30-1#:45'])),
  'account number': (r) =>
    r.fill(
      r.pick(['account ##########', 'Kundennummer #########', 'client 0########', 'Vertrag ##########']),
    ),
  size: (r) => r.fill(r.pick(['1920x1080', '##### bytes', '###,###,###', '# ### ### km'])),
}

function wrongCard(random: Random): string {
  const right = withLuhn(`4${random.digits(14)}`)
  const wrong = right.slice(0, -1) + String((Number(right.at(-1)) + random.int(1, 9)) % 10)
  return random.int(0, 1) === 0 ? wrong : (wrong.match(/.{4}/g) ?? []).join(' ')
}

function uuid(random: Random): string {
  const template = randomUUID()
  return template.replaceAll(/[0-9a-f]/g, () => random.int(0, 15).toString(16))
}

export function nearMisses(seed: number, each: number): readonly NearMiss[] {
  const random = new Random(seed)
  const misses: NearMiss[] = []
  for (let i = 0; i < each; i++)
    for (const [what, make] of Object.entries(MAKERS))
      misses.push({ what, text: `${make(random)}${random.pick(['', '.', ' and more'])}` })
  return misses
}
