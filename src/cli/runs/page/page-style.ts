/** The style of the page of a run: readable in light and dark, on a phone and on paper. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ground: #fff; --text: #1c2430; --faint: #5d6b7e; --line: #dbe1ea; --box: #f5f7fa;
  --good: #137a3c; --bad: #b3261e; --warn: #8a5a00; --accent: #0b62b8 }
@media (prefers-color-scheme: dark) { :root { --ground: #10161f; --text: #dde5ef; --faint: #93a1b5; --line: #2a3544;
  --box: #182130; --good: #6fd695; --bad: #ff8f88; --warn: #f2c063; --accent: #77bdfb } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 4rem; background: var(--ground); color: var(--text);
  font: 15px/1.55 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.6rem; margin: 0 0 .25rem } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
code, pre, .id { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .88em }
.faint, .id { color: var(--faint) } .good { color: var(--good) } .bad, .refused { color: var(--bad) }
.warn, .ask, .retry, .warning { color: var(--warn) } .accent, .call, .user { color: var(--accent) } .note { color: var(--faint) }
.badge { display: inline-block; border: 1px solid currentColor; border-radius: 1rem; padding: 0 .7rem; font-weight: 600 }
.banner { background: #ffd479; color: #3a2a00; border-radius: .4rem; padding: .5rem .8rem; margin: 1rem 0 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.25rem; margin: 1rem 0 } dt { color: var(--faint) } dd { margin: 0 }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; vertical-align: top; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line) }
th { color: var(--faint); font-weight: 500 }
ol.steps { list-style: none; margin: 0; padding: 0; border-left: 2px solid var(--line) }
ol.steps > li { display: grid; grid-template-columns: 5.2rem 1fr; gap: .6rem; padding: .25rem 0 .25rem .9rem }
ol.steps time { color: var(--faint); font-variant-numeric: tabular-nums }
.says { white-space: pre-wrap } .user .says { font-weight: 600 }
pre { background: var(--box); border: 1px solid var(--line); border-radius: .4rem; padding: .6rem .8rem; margin: .3rem 0; white-space: pre-wrap }
details > summary { cursor: pointer; color: var(--faint) }
section.agent { border: 1px solid var(--line); border-radius: .6rem; padding: .2rem 1.25rem 1.25rem; margin-top: 2rem }
th, td:not(:last-child) { overflow-wrap: normal } .tree { white-space: pre }
.call .says::before { content: '→ ' } .good .says::before { content: '✓ ' } .bad .says::before { content: '✗ ' } .ask .says::before { content: '? ' }
.retry .says::before { content: '↻ ' } .note .says::before { content: '· ' } .warning .says::before { content: '! ' } .user .says::before { content: '> ' }
.bars td { padding: .15rem .9rem .15rem 0; border: 0 } .bars td:nth-child(2) { white-space: nowrap } .bars td:last-child { width: 55%; padding-right: 0 }
.track { display: block; background: var(--box); height: .8rem; border-radius: .2rem } .bar { display: block; background: var(--accent); height: 100%; min-width: 2px; border-radius: .2rem }
.bar.failed { background: var(--bad) }
@media (max-width: 40rem) { dl, ol.steps > li { grid-template-columns: 1fr; gap: 0 } .bars td:last-child { width: 35% } }
@media print { body { max-width: none; padding: 0 } details > summary { display: none } }
`
