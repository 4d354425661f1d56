const ENGLISH = `a about above act add after again against age ago air all also always am among an and animal another answer
any appear are area as ask at back base be beauty because been before began begin behind believe best better between big
bird black blue boat body book both box boy bring brought build busy but by call came can car care carry cause center
certain change check children city class clear close cold color come common complete contain correct could country course
cover cross cry cut dark day decide deep deny develop did differ direct do dog done door down draw drive dry during each
early earth ease east eat edit end enough even ever every example eye face fact fall family far farm fast father feel feet
few field figure fill final find fine fire first fish five fly follow food foot for force form found four free friend from
front full game gave get girl give go gold good got govern great green ground group grow had half hand happen hard has have
he head hear heat hell hello help her here high hill him his hold home horse hot hour house how hundred I idea if in inch
interest is island it job join jump just keep key kind king knew know land language large last late later laugh lay lead
learn leave left less let letter life light like line list listen little live long look lot love low machine made main make
man many map mark may me mean measure men might mile mind minute miss money moon more morning most mother mountain move
much music must my name near need never new next night no north nose note nothing notice now number object ocean of off
often oh old on once one only open or order other our out over own page paper part pass pattern people perhaps person
picture piece plain plan plane plant play point port pose power press problem produce product pull put question quick rain
ran reach read ready real record red refund remember rest right river road rock room round rule run said same sat saw say
school sea second see seem self sentence serve set several shape she ship short should show side simple since sing sit six
size sleep slow small snow so some song soon sound south space special spell stand star start state stay step still stood
stop story street strong study such sun sure surface table tail take talk teach tell ten test than thank that the their
them then there these they thing think this those though thought thousand three through time to together told too took top
toward town travel tree true try turn two under unit until up us use usual very voice vowel wait walk want war warm was
watch water way we week weight well went were west what wheel where which while white who whole why will wind with wonder
wood word work world would write year yes yet you young your`

const LINES = [
  'ls -la',
  'cd ..',
  'git status',
  'git commit -m "fix: hello"',
  'make && ./run.sh',
  'vim notes.txt',
  ':wq',
  'kubectl get pods -A | less',
  'curl -s https://example.com/a?b=c',
  'yes | head',
  'jjjjkkkk',
  'ggdG',
  'I think hell',
  ' hell',
  'y',
  'Y',
  'yes',
  'n',
  'q',
  '1',
  '2',
  ' ',
  '    ',
  '\t',
  'a\tb',
  '\x0e',
  '\x10\x10',
  '\x04',
  'hé là, 日本 👍🏽',
  'waybill approvals approve last --resume',
]

/** Letters that are arrow keys, answers or choices in other programs. */
const KEYS = [...'hjklynq 13']

/** Words and command lines that a person may type while another program asks. */
export const TYPED: readonly string[] = [...ENGLISH.split(/\s+/), ...LINES]

/** All texts of up to three of {@link KEYS}. */
export const KEY_WORDS: readonly string[] = KEYS.flatMap((a) => [
  a,
  ...KEYS.flatMap((b) => [`${a}${b}`, ...KEYS.map((c) => `${a}${b}${c}`)]),
])
