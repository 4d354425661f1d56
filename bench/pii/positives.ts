import { Random } from './random.ts'

export interface Sample {
  readonly kind: string
  readonly locale: string
  readonly text: string
  /** The personal data in the text, as written. */
  readonly value: string
}

const FIRST = [
  'ada',
  'jean-luc',
  'maría',
  'o.brien',
  'jürgen',
  'li',
  'john_smith',
  'k8',
  'a.b.c',
  'sales+eu',
  'j',
  'x.y-z',
]
const LAST = ['', '.lovelace', '1984', '_x', '.garcía', '-braun', '.42']
const HOSTS = [
  'example',
  'mail.example',
  'my-company',
  'uni-köln',
  'a1',
  'gov.example',
  'xn--mnchen-3ya',
  'sub.dept.firm',
]
const ENDS = [
  'com',
  'org',
  'de',
  'co.uk',
  'fr',
  'io',
  'museum',
  'edu',
  'pl',
  'it',
  'es',
  'nl',
  'app',
  'online',
]
const AROUND = [
  (v: string) => v,
  (v: string) => `Please write to ${v}.`,
  (v: string) => `(${v})`,
  (v: string) => `"${v}", she said`,
  (v: string) => `Her details: ${v}; thanks!`,
  (v: string) => `line one\n${v}\nline three`,
  (v: string) => `value=${v}`,
  (v: string) => `<${v}>`,
]

/** Phones by locale: formats of numbers, and the words before them. */
const PHONES: Readonly<
  Record<string, { readonly written: readonly string[]; readonly said: readonly string[] }>
> = {
  US: {
    written: [
      '(212) 5N5-####',
      '415-5N5-####',
      '+1 312 5N5 ####',
      '1-800-5N5-####',
      '617.5N5.####',
      '3035N5####',
      '+12125N5####',
    ],
    said: ['call ', 'Phone: ', 'my cell is ', ''],
  },
  GB: {
    written: [
      '020 7946 0###',
      '07700 900###',
      '+44 20 7946 0###',
      '0161 496 0###',
      '+447700900###',
      '(020) 7946 0###',
    ],
    said: ['Tel: ', 'ring me on ', 'mobile ', ''],
  },
  DE: {
    written: [
      '030 X#######',
      '0151 2345####',
      '+49 89 X######',
      '0049 151 2345####',
      '0221/4710X##',
      '0171-23456##',
      '+4915123456###',
    ],
    said: ['Tel. ', 'Telefon: ', 'Handy ', ''],
  },
  FR: {
    written: [
      '01 4# ## ## ##',
      '06 1# ## ## ##',
      '+33 6 1# ## ## ##',
      '06.1#.##.##.##',
      '06-1#-##-##-##',
      '+3361#######',
    ],
    said: ['tél. ', 'Téléphone : ', 'portable ', ''],
  },
  ES: {
    written: ['91 5## ## ##', '61# ### ###', '+34 61# ### ###', '+3461#######'],
    said: ['tel. ', 'teléfono ', 'móvil: '],
  },
  IT: {
    written: ['06 698 #####', '347 12#####', '+39 347 12#####', '+39 06 698#####'],
    said: ['tel. ', 'telefono: ', 'cellulare '],
  },
  NL: {
    written: ['020 6## ## ##', '06 1######X', '06-1######X', '+31 6 1######X'],
    said: ['tel. ', 'bel ', 'mobiel: '],
  },
  PL: {
    written: ['+48 601 ### ###', '601 ### ###', '22 6## ## ##', '+48601######'],
    said: ['tel. ', 'telefon: ', 'numer komórkowy '],
  },
}

/** IBANs: length of the national part, and the positions of letters. */
const IBANS: Readonly<Record<string, string>> = {
  DE: '##################',
  AT: '################',
  CH: '#################',
  NL: 'ABNA##########',
  GB: 'NWBK##############',
  IE: 'AIBK##############',
  LU: '################',
}

export function positives(seed: number, each: number): readonly Sample[] {
  const random = new Random(seed)
  const samples: Sample[] = []
  const add = (kind: string, locale: string, value: string, said = '') =>
    samples.push({ kind, locale, value, text: `${said}${random.pick(AROUND)(value)}` })
  for (let i = 0; i < each; i++) {
    add(
      'email',
      'any',
      `${random.pick(FIRST)}${random.pick(LAST)}@${random.pick(HOSTS)}.${random.pick(ENDS)}`,
    )
    add('card', 'any', card(random))
    const [country, iban] = makeIban(random)
    add('iban', country, iban)
    add('ip', i % 3 === 0 ? 'v6' : 'v4', i % 3 === 0 ? ipv6(random) : ipv4(random))
    add('us_ssn', 'US', ssn(random))
    for (const [locale, { written, said }] of Object.entries(PHONES)) {
      if (i % 2 === 0) add('phone', locale, random.fill(random.pick(written)), random.pick(said))
    }
    if (i % 4 === 0)
      for (const [kind, locale, value, said] of nationalIds(random)) add(kind, locale, value, said)
  }
  return samples
}

function card(random: Random): string {
  const [prefix, length] = random.pick([
    ['4', 16],
    ['51', 16],
    ['55', 16],
    ['2221', 16],
    ['34', 15],
    ['37', 15],
    ['6011', 16],
    ['36', 14],
    ['3530', 16],
    ['62', 16],
  ] as const)
  const digits = withLuhn(prefix + random.digits(length - prefix.length - 1))
  const style = random.int(0, 3)
  const groups = length === 16 ? [4, 4, 4, 4] : length === 15 ? [4, 6, 5] : [4, 6, 4]
  if (style === 0) return digits
  return grouped(digits, groups, style === 1 ? ' ' : style === 2 ? '-' : '.')
}

function grouped(digits: string, sizes: readonly number[], separator: string): string {
  let at = 0
  const parts = sizes.map((size) => {
    at += size
    return digits.slice(at - size, at)
  })
  return parts.join(separator)
}

export function withLuhn(digits: string): string {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return digits + ((10 - (sum % 10)) % 10)
}

function makeIban(random: Random): readonly [string, string] {
  const country = random.pick(Object.keys(IBANS))
  const rest = (IBANS[country] as string).replaceAll('#', () => String(random.int(0, 9)))
  const numeric = [...`${rest}${country}00`]
    .map((c) => (/\d/.test(c) ? c : String(c.charCodeAt(0) - 55)))
    .join('')
  const check = String(98n - (BigInt(numeric) % 97n)).padStart(2, '0')
  const iban = country + check + rest
  return [country, random.int(0, 1) === 0 ? iban : (iban.match(/.{1,4}/g) ?? []).join(' ')]
}

function ipv4(random: Random): string {
  return `${random.pick([3, 8, 31, 52, 81, 93, 185, 203, 212])}.${random.int(0, 255)}.${random.int(0, 255)}.${random.int(1, 254)}`
}

function ipv6(random: Random): string {
  const part = () => random.int(1, 0xffff).toString(16)
  const head = `2001:${part()}:${part()}`
  return random.int(0, 1) === 0
    ? `${head}::${part()}`
    : `${head}:${part()}:${part()}:${part()}:${part()}:${part()}`
}

function ssn(random: Random): string {
  const area = String(random.pick([random.int(1, 665), random.int(667, 899)])).padStart(3, '0')
  const parts = [
    area,
    String(random.int(1, 99)).padStart(2, '0'),
    String(random.int(1, 9999)).padStart(4, '0'),
  ]
  return parts.join(random.pick(['-', '-', '-', ' ', '.']))
}

function nationalIds(
  random: Random,
): readonly (readonly [kind: string, locale: string, value: string, said: string])[] {
  const dni = random.digits(8)
  const nie = random.digits(7)
  const first = random.int(0, 2)
  const letters = 'TRWAGMYFPDXBNJZSQVHLCKE'
  return [
    ['de_tax_id', 'DE', steuerId(random), 'Steuer-ID: '],
    ['fr_nir', 'FR', nir(random), 'NIR '],
    ['es_dni', 'ES', `${dni}${random.pick(['', '-'])}${letters[Number(dni) % 23]}`, 'DNI '],
    ['es_dni', 'ES', `${'XYZ'[first]}${nie}${letters[Number(`${first}${nie}`) % 23]}`, 'NIE '],
    ['it_codice_fiscale', 'IT', codiceFiscale(random), 'CF '],
    ['nl_bsn', 'NL', bsn(random), 'BSN '],
    ['uk_nino', 'GB', random.fill(random.pick(['AB######C', 'CE ## ## ## A', 'JM ######D'])), 'NI number '],
    ['pl_pesel', 'PL', pesel(random), 'PESEL '],
  ]
}

function steuerId(random: Random): string {
  const digits = [...'0123456789'].sort(() => random.next() - 0.5)
  if (digits[0] === '0') digits.reverse()
  digits[9] = digits[3] as string
  let product = 10
  for (const digit of digits) {
    const sum = (Number(digit) + product) % 10
    product = ((sum === 0 ? 10 : sum) * 2) % 11
  }
  const id = `${digits.join('')}${(11 - product) % 10}`
  return random.int(0, 1) === 0 ? id : grouped(id, [2, 3, 3, 3], ' ')
}

function nir(random: Random): string {
  const number = `${random.int(1, 2)}${random.digits(2)}${String(random.int(1, 12)).padStart(2, '0')}${String(random.int(1, 95)).padStart(2, '0')}${random.digits(6)}`
  const all = `${number}${String(97 - (Number(number) % 97)).padStart(2, '0')}`
  return random.int(0, 1) === 0 ? all : grouped(all, [1, 2, 2, 2, 3, 3, 2], ' ')
}

function codiceFiscale(random: Random): string {
  const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]
  const id = `${random.pick(['RSSMRA', 'BNCLCU', 'FRRGNN'])}${random.digits(2)}${random.pick([...'ABCDEHLMPRST'])}${String(random.int(1, 31)).padStart(2, '0')}${random.pick(['H', 'F', 'L'])}${random.digits(3)}`
  const sum = [...id].reduce((total, c, i) => {
    const value = /\d/.test(c) ? Number(c) : c.charCodeAt(0) - 65
    return total + (i % 2 === 0 ? (odd[value] as number) : value)
  }, 0)
  return id + String.fromCharCode(65 + (sum % 26))
}

function bsn(random: Random): string {
  for (;;) {
    const digits = random.digits(8)
    const rest = [9, 8, 7, 6, 5, 4, 3, 2].reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0) % 11
    if (rest < 10) return `${digits}${rest}`
  }
}

function pesel(random: Random): string {
  const digits = `${random.digits(2)}${String(random.int(1, 12)).padStart(2, '0')}${String(random.int(1, 28)).padStart(2, '0')}${random.digits(4)}`
  const sum = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3].reduce(
    (total, weight, i) => total + weight * Number(digits[i]),
    0,
  )
  return `${digits}${(10 - (sum % 10)) % 10}`
}
