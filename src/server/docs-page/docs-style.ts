/** The style of the reference page: readable in light and dark, on a phone and on paper. */
export const DOCS_STYLE = `
:root { color-scheme: light dark; --ground: #fff; --text: #1c2430; --faint: #566478; --line: #dbe1ea; --box: #f5f7fa; --accent: #0b5cad }
@media (prefers-color-scheme: dark) { :root { --ground: #10161f; --text: #dde5ef; --faint: #9babc0; --line: #2a3544; --box: #182130; --accent: #85c4fc } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 64rem; padding: 2rem 1.25rem 4rem; background: var(--ground); color: var(--text);
  font: 15px/1.55 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere }
a { color: var(--accent) }
.skip { position: absolute; left: -99rem } .skip:focus { left: 1rem; background: var(--ground); padding: .3rem .6rem }
h1 { font-size: 1.7rem; margin: 0 } h2 { font-size: 1.35rem; margin: 2.5rem 0 .5rem; border-bottom: 2px solid var(--line) }
h3 { font-size: 1.05rem; margin: 0 } h4 { font-size: .95rem; margin: .9rem 0 .2rem }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .9em }
pre { background: var(--box); border: 1px solid var(--line); border-radius: .4rem; padding: .6rem .8rem; margin: .3rem 0; white-space: pre-wrap }
article { border: 1px solid var(--line); border-radius: .5rem; padding: .8rem 1.1rem; margin: 1rem 0 }
p { margin: .3rem 0 } ul { margin: .2rem 0; padding-left: 1.3rem }
nav ul { columns: 14rem; list-style: none; padding: 0 } nav ul ul { columns: auto; padding-left: 1rem }
.faint { color: var(--faint) }
@media print { nav { display: none } article { break-inside: avoid } }
`
