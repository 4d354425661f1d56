import { seenText } from '../../document/seen-text.ts'

const TAGS =
  'a|abbr|audio|b|base|big|blockquote|body|br|button|center|cite|code|dd|del|details|div|dl|dt|em|embed|figure|font|form|frame|h[1-6]|head|hr|html|i|iframe|img|input|ins|kbd|li|link|mark|math|meta|object|ol|p|picture|pre|q|s|samp|script|section|select|small|source|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|textarea|tfoot|th|thead|title|tr|tt|u|ul|var|video'

/**
 * Marks of Markdown (CommonMark, tables, strikethrough) that a viewer renders. The repeated classes exclude the
 * character that begins the mark, so the time is linear.
 */
const MARKDOWN = new RegExp(
  [
    // Headings, lists, quotes, fences, tables and rules, by the beginning of the line.
    String.raw`^[ \t]{0,3}(?:#{1,6}(?:[ \t]|$)|[-*+] |\d{1,9}[.)] |> ?|\x60\x60\x60|~~~|\|[^|\n]*\|)`,
    String.raw`^[ \t]{0,3}:?-{1,64}:?[ \t]*\|`,
    String.raw`^[ \t]{0,3}(?:(?:\*[ \t]{0,3}){3,64}|(?:_[ \t]{0,3}){3,64}|(?:-[ \t]{0,3}){3,64})$`,
    // A heading that is underlined.
    String.raw`\S[ \t]{0,64}\n[ \t]{0,3}(?:={1,256}|-{2,256})[ \t]{0,64}$`,
    // Emphasis, strikethrough and code.
    String.raw`\*\*(?=[^\s*])[^*]*\*\*|(?<![\p{L}\p{N}*\\])\*(?=[^\s*])[^*\n]*(?<=\S)\*(?![\p{L}\p{N}*])`,
    String.raw`(?<![\p{L}\p{N}_\\])__(?=[^\s_])[^\n_]*(?:_[^\n_]+)*?__(?![\p{L}\p{N}_])`,
    String.raw`(?<![\p{L}\p{N}_\\/.])_(?=[^\s_])[^_\n]*(?<=\S)_(?![\p{L}\p{N}_/.])`,
    String.raw`~~(?=[^\s~])[^~\n]*~~|(?<![\p{L}\p{N}~\\])~(?=[^\s~/])[^~\n]*(?<=\S)~(?![\p{L}\p{N}~/])|\x60(?=[^\x60])[^\x60]*\x60|\x60\x60`,
    // Links and pictures: inline, by reference, defined, in angle brackets.
    String.raw`\[[^\[\]]*\]\(|\]\(\s?\S|(?<![\p{L}\p{N}_\])])\[[^\[\]\n]+\]\[[^\[\]\n]*\]`,
    String.raw`^ {0,3}\[[^\[\]\n]{1,999}\]:[ \t]*\S`,
    String.raw`<[a-z][a-z0-9+.-]{1,31}:[^\s<>]+>|<[^\s<>@]{1,256}@[^\s<>@]{1,256}>`,
    // Viewers of Markdown render HTML too.
    String.raw`</?(?:${TAGS})(?:[\s/][^<>]*)?>|<!--`,
  ].join('|'),
  'imu',
)

/** Returns true if a viewer of Markdown renders a part of the text. */
export function holdsMarkdown(text: string): boolean {
  return MARKDOWN.test(seenText(text).text)
}
