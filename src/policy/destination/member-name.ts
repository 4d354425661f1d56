/** Words in the name of a member whose value is a recipient. */
const RECIPIENTS = new Set(
  (
    'to tos cc ccs bcc bccs rcpt rcpts recipient recipients receiver receivers addressee addressees mailto ' +
    'attendee attendees invitee invitees'
  ).split(' '),
)
/** Words in the name of a member whose value is a destination of another kind. */
const DESTINATIONS = new Set(
  (
    'address addresses email emails mail url urls uri uris link links href src hook hooks webhook webhooks ' +
    'callback endpoint host hosts hostname domain domains server site website channel channels room phone phones ' +
    'telephone tel mobile cell fax sms whatsapp handle handles contact contacts destination destinations dest ' +
    'target targets guest guests participant participants iban forward'
  ).split(' '),
)
/** Words that make a recipient another thing: the address of an answer is not a recipient. */
const OTHERWISE = /^(?:reply|replies|answer|respond)$/

/** Returns true if a member of this name holds recipients of a message: `to`, `ccRecipients`, `bcc_list`. */
export function namesRecipients(name: string): boolean {
  const words = wordsOf(name)
  return words.some((word) => RECIPIENTS.has(word)) && !words.some((word) => OTHERWISE.test(word))
}

/** Words beside a word for recipients that do not change what the member holds. */
const BESIDE = new Set(
  'list lists line header user users id ids email emails address addresses extra additional other others more all'.split(
    ' ',
  ),
)

/** Returns true if the name consists of words for recipients: `cc`, `to_recipients`, `bccList`, but not `recipient_name`. */
export function isNameOfRecipients(name: string): boolean {
  const words = wordsOf(name).filter((word) => word !== '')
  return (
    words.some((word) => RECIPIENTS.has(word)) &&
    words.every((word) => RECIPIENTS.has(word) || BESIDE.has(word))
  )
}

/** Returns true if a member of this name holds destinations of any kind: `to`, `reply_to`, `webhookUrl`. */
export function namesDestinations(name: string): boolean {
  return wordsOf(name).some((word) => RECIPIENTS.has(word) || DESTINATIONS.has(word))
}

/** Words for who sends a message, or gets its answer. */
const SENDERS = new Set('from sender author reply replies answer respond owner signature bounce'.split(' '))
/** Words for lists whose entries are recipients, even if they are plain names. */
const PEOPLE = new Set(
  'emails mails contacts guests participants subscribers audience phones handles mailing people'.split(' '),
)
/** Names of fields that describe one recipient. */
const FIELDS = new Set(
  (
    'email mail address name first last given family middle display full nick title type kind role id uid uuid ref ' +
    'phone mobile tel telephone number fax sms handle user username login account company organization organisation ' +
    'department label locale language lang timezone tz status required optional response value key note comment url uri ' +
    'group list lists items entries members recipients addresses emails users people metadata data attributes ' +
    'substitutions variables fields rsvp avatar photo picture city country street zip postal code'
  ).split(' '),
)

/** Returns true if a member of this name holds the sender of a message. */
export function holdsSender(name: string): boolean {
  return wordsOf(name).some((word) => SENDERS.has(word))
}

/** Returns true if a list of this name contains people. */
export function listsPeople(name: string): boolean {
  return wordsOf(name).some((word) => PEOPLE.has(word))
}

/** Returns true if a member of this name describes a recipient, and false if the name is that of a recipient. */
export function isFieldOfRecipient(name: string): boolean {
  const words = wordsOf(name).filter((word) => word !== '')
  return words.length > 0 && words.every((word) => FIELDS.has(word) || RECIPIENTS.has(word))
}

/** Longer names are texts, not names. */
const LONGEST = 100

function wordsOf(name: string): readonly string[] {
  if (name.length > LONGEST) return []
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
}
