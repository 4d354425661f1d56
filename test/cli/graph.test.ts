import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import parseDot from 'dotparser'
import { dotGraph } from '../../src/cli/graph/dot-graph.ts'
import { mermaidGraph } from '../../src/cli/graph/mermaid-graph.ts'
import { svgGraph } from '../../src/cli/graph/svg-graph.ts'
import { svgLayout } from '../../src/cli/graph/svg-layout.ts'
import { svgRoutes } from '../../src/cli/graph/svg-routes.ts'
import { textGraph } from '../../src/cli/graph/text-graph.ts'
import { columnsOf } from '../../src/cli/terminal/fit-columns.ts'
import { painter } from '../../src/cli/terminal/paint.ts'
import type { AgentGraph, GraphNode } from '../../src/plan/agent-graph.ts'
import { Place, ROOT, waybill } from './fixture.ts'
import { HOSTILE } from './graph-cases.ts'

const plain = painter(false)

/** A graph in which one text is at every place of a text. */
function graphWith(text: string): AgentGraph {
  const kinds = ['agent', 'missing', 'model', 'tool', 'memory', 'trigger'] as const
  const nodes = kinds.map((kind, index): GraphNode => ({ id: `a${index}`, kind, title: text, facts: [text] }))
  return {
    nodes,
    edges: [
      { from: 'a0', to: 'a1', kind: 'call', labels: [text, text], seldom: true },
      { from: 'a0', to: 'a2', kind: 'model', labels: [text] },
      { from: 'a0', to: 'a3', kind: 'tool', labels: [] },
      { from: 'a0', to: 'a4', kind: 'memory', labels: [] },
      { from: 'a5', to: 'a0', kind: 'start', labels: [text] },
      { from: 'a0', to: 'a0', kind: 'handoff', labels: [text] },
    ],
  }
}

/** Reads XML without entities, comments and declarations; throws if it is not well formed. */
function elementsOf(xml: string): readonly string[] {
  const open: string[] = []
  const names: string[] = []
  let at = 0
  const tag = /<(\/?)([a-z]+)((?: [a-zA-Z:-]+="[^"<]*")*)(\/?)>/y
  while (at < xml.length) {
    const next = xml.indexOf('<', at)
    const text = xml.slice(at, next < 0 ? xml.length : next)
    assert.doesNotMatch(text, /&(?!(?:amp|lt|gt|quot|#39);)/)
    if (next < 0) break
    tag.lastIndex = next
    const found = tag.exec(xml)
    assert.ok(found, `no tag at ${xml.slice(next, next + 80)}`)
    const [whole, closing, name = '', , single] = found
    if (closing === '/') assert.equal(open.pop(), name)
    else {
      names.push(name)
      if (single === '') open.push(name)
    }
    at = next + whole.length
  }
  assert.deepEqual(open, [])
  return names
}

describe('hostile texts stay texts in each format', () => {
  for (const text of HOSTILE) {
    const graph = graphWith(text)
    const shown = JSON.stringify(text).slice(0, 50)

    test(`svg: ${shown}`, () => {
      const svg = svgGraph(graph)
      const allowed = ['svg', 'title', 'style', 'defs', 'marker', 'path', 'rect', 'g', 'text']
      assert.deepEqual(
        [...new Set(elementsOf(svg))].filter((name) => !allowed.includes(name)),
        [],
      )
      assert.doesNotMatch(svg, /(?:href|url\((?!#arrow)|on[a-z]+=|@import|<!)/)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not permit them
      assert.doesNotMatch(svg, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\ufffe\uffff]/)
      assert.ok(svg.isWellFormed())
      assert.equal(svg, svgGraph(structuredClone(graph)), 'deterministic')
    })

    test(`dot: ${shown}`, () => {
      const [parsed] = parseDot(dotGraph(graph))
      const nodes = parsed?.children.filter(({ type }) => type === 'node_stmt') ?? []
      const edges = parsed?.children.filter(({ type }) => type === 'edge_stmt') ?? []
      assert.deepEqual([nodes.length, edges.length], [graph.nodes.length, graph.edges.length])
    })

    test(`mermaid: ${shown}`, () => {
      const lines = mermaidGraph(graph).trimEnd().split('\n')
      assert.equal(lines[0], 'flowchart LR')
      const label = '"(?:[\\p{L}\\p{M}\\p{N} .,_/·→-]|#\\d+;|<br/>)*"'
      const node = new RegExp(
        `^ {2}a\\d(?:\\[|\\(\\[|\\[\\[|\\[\\(|>)${label}(?:\\]|\\]\\)|\\]\\]|\\)\\])$`,
        'u',
      )
      const edge = new RegExp(`^ {2}a\\d (?:-->|-\\.->)(?:\\|${label}\\|)? a\\d$`, 'u')
      for (const line of lines.slice(1, 7)) assert.match(line, node)
      for (const line of lines.slice(7, 13)) assert.match(line, edge)
      for (const line of lines.slice(13)) assert.match(line, /^ {2}class(?:Def)? [\w, :-]+$/)
      assert.doesNotMatch(lines.join('\n'), /[\ufb02°¶ß]|%%/u)
    })

    test(`text: ${shown}`, () => {
      const tree = textGraph(graph, plain, 60)
      assert.equal(tree.trimEnd().split('\n').length, 7)
      for (const line of tree.split('\n')) assert.ok(columnsOf(line) <= 60, line)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal would perform them
      assert.doesNotMatch(tree, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    })
  }
})

/** The newsroom of the examples. */
function newsroom(place: Place): void {
  cpSync(join(ROOT, 'examples/newsroom'), join(place.folder, 'newsroom'), { recursive: true })
}

const RICH = {
  sc_standard: 'SC-006',
  agent_id: '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a10',
  agent: {
    name: 'Desk',
    version: '2.1.0',
    goal: 'Answer.',
    model: {
      provider: 'anthropic',
      preferred: 'm1',
      fallbacks: [
        { provider: 'openai', model: 'm2' },
        { provider: 'mistral', model: 'm3' },
      ],
      routing_strategy: 'cost',
    },
    constraints: ['Be kind.'],
    tools: [
      {
        name: 'find',
        description: 'F.',
        protocol: 'http',
        endpoint: 'https://shop.example/orders',
        auth: { type: 'bearer', env_var: 'SHOP_TOKEN' },
      },
      { name: 'look', description: 'L.', protocol: 'function' },
    ],
    memory: [{ scope: 'user', key: 'likes', content: 'C.', backend: 'postgres' }],
    orchestration: {
      role: 'router',
      subagents: [
        { ref: 'helper', alias: 'billing', when: { lang: 'cel', expr: 'x > 1', nl: 'it is large' } },
        { ref: 'helper', alias: 'general' },
        { ref: 'nowhere', alias: 'lawyer', role: 'fallback' },
      ],
      handoff: [
        {
          condition: { lang: 'cel', expr: 'output == "no"' },
          target_agent: 'billing',
          pass_context: false,
          pass_memory: true,
        },
      ],
    },
    compliance: { safety_level: 'strict', human_in_the_loop: { enabled: true } },
    events: {
      triggers: [{ type: 'schedule', schedule: '0 6 * * *', filter: { lang: 'cel', expr: 'true' } }],
      on_tool_call: 'check',
    },
  },
}
const HELPER = {
  sc_standard: 'SC-006',
  agent: {
    name: 'Helper',
    goal: 'Help.',
    model: { provider: 'ollama', preferred: 'llama3.2' },
    orchestration: { subagents: [{ ref: RICH.agent_id, alias: 'boss' }] },
  },
}
const TREE = `Desk 2.1.0  router: selects among 2 · safety level strict · a person approves writes · 1 constraint · hooks: on_tool_call
├─ started by schedule  0 6 * * * · when true
├─ model by cost anthropic/m1
├─ fallback openai/m2
├─ fallback mistral/m3
├─ tool find  http · shop.example · write · needs approval · secret SHOP_TOKEN
├─ tool look  function · read
├─ memory likes  user · postgres
├─ when it is large · billing; otherwise · general → Helper  delegates as its model decides
│  ├─ model ollama/llama3.2
│  └─ may ask · boss → Desk 2.1.0  see above
├─ if another fails · lawyer → nowhere  not found: no definition in the folder of the agents has this id, path or name
└─ hand-off when output == "no", without the conversation, with memory → Helper  see above
`

function rich(place: Place): void {
  place.write('helper.json', JSON.stringify(HELPER))
  place.write(
    'tools.mjs',
    'export const tools = { look: Object.assign(async () => 1, { readOnly: true }) }\n',
  )
}

describe('waybill graph', () => {
  test('draws models, tools, memory, triggers and sub-agents at each depth, each agent once', async (t) => {
    const place = new Place(t, RICH)
    rich(place)
    const { code, out, err } = await waybill(place, ['graph', 'agent.json', '--tools', 'tools.mjs'])
    assert.deepEqual([code, out, err], [0, TREE, ''])
  })

  test('all patterns of the newsroom, with the steps of a pipeline in their order', async (t) => {
    const place = new Place(t)
    newsroom(place)
    const { out } = await waybill(place, ['graph', 'newsroom/desk.yaml'])
    assert.equal(
      out,
      `News desk  pipeline of 3
├─ 1 · report → Reporter
│  └─ model openai/gpt-4o-mini
├─ 2 · check → Readers  swarm of 3: majority vote, at least 2
│  └─ at once · first reader, second reader, third reader → Reader
│     └─ model openai/gpt-4o-mini
└─ 3 · write → Writer  hands over
   ├─ model openai/gpt-4o-mini
   └─ hand-off when the readers dispute the claim → Editor
      └─ model openai/gpt-4o-mini
`,
    )
    const swapped = readFileSync(join(place.folder, 'newsroom/desk.yaml'), 'utf8').replace(
      '[report, check, write]',
      '[write, report]',
    )
    place.write('newsroom/swapped.yaml', swapped)
    const other = (await waybill(place, ['graph', 'newsroom/swapped.yaml'])).out
    assert.match(other, /1 · write → Writer[\s\S]*2 · report → Reporter[\s\S]*not called · check → Readers/)
  })

  test('--agents names the folder of the sub-agents', async (t) => {
    const place = new Place(t, RICH)
    mkdirSync(join(place.folder, 'others'))
    place.write('others/helper.json', JSON.stringify(HELPER))
    const nodes = async (...options: string[]) =>
      JSON.parse((await waybill(place, ['graph', 'agent.json', '--json', ...options])).out).nodes
    const kinds = (all: readonly GraphNode[]) =>
      all.filter(({ title }) => title === 'helper').map(({ kind }) => kind)
    assert.deepEqual(kinds(await nodes('--agents', place.home)), ['missing', 'missing'])
    const found = await nodes('--agents', 'others')
    assert.deepEqual(kinds(found), [])
    assert.ok(found.some(({ title }: GraphNode) => title === 'Helper'))
    assert.ok(!JSON.stringify(found).includes(place.folder))
  })

  test('the tree fits the terminal, and is plain in a pipe', async (t) => {
    const place = new Place(t, RICH)
    rich(place)
    const shown = await waybill(place, ['graph', 'agent.json'], { outIsTty: true, color: true })
    const { stripVTControlCharacters } = await import('node:util')
    const lines = stripVTControlCharacters(shown.out).split('\n')
    assert.equal(lines.length, TREE.split('\n').length)
    for (const line of lines) assert.ok(columnsOf(line) <= 80, line)
    assert.ok(shown.out.includes('\u001b[1mDesk 2.1.0\u001b[0m'))
    const graph = JSON.parse((await waybill(place, ['graph', 'agent.json', '--json'])).out) as AgentGraph
    const narrow = textGraph(graph, plain, 40)
    // The name of a sub-agent is kept, and its condition is cut.
    assert.match(narrow, /\n└─ hand-off when output == "no… → Helper\n$/)
    for (const line of narrow.split('\n')) assert.ok(columnsOf(line) <= 40, line)
    assert.ok(!(await waybill(place, ['graph', 'agent.json'], { color: true })).out.includes('\u001b'))
  })

  test('the ending of the output file decides about the format, and --format before it', async (t) => {
    const place = new Place(t, RICH)
    const read = (name: string) => readFileSync(join(place.folder, name), 'utf8')
    const cases = [
      ['a.svg', /^<svg /],
      ['a.MMD', /^flowchart LR\n/],
      ['a.gv', /^digraph agent \{\n/],
      ['a.json', /^\{\n {2}"nodes"/],
      ['a.txt', /^Desk 2\.1\.0 /],
      ['a.other', /^Desk 2\.1\.0 /],
    ] as const
    for (const [name, begin] of cases) {
      const { code, out, err } = await waybill(place, ['graph', 'agent.json', '-o', name])
      assert.deepEqual([code, out, err], [0, '', `the graph is in ${name}\n`])
      assert.match(read(name), begin)
    }
    await waybill(place, ['graph', 'agent.json', '-o', 'b.svg', '--format', 'dot'])
    assert.match(read('b.svg'), /^digraph/)
    const { out } = await waybill(place, ['graph', 'agent.json', '--format', 'svg'])
    assert.equal(out, read('a.svg'), 'the same picture on each run')
  })

  test('a definition that is invalid or not there is refused', async (t) => {
    const place = new Place(t)
    place.write('bad.json', '{"sc_standard": "SC-006", "agent": {}}')
    const bad = await waybill(place, ['graph', 'bad.json', '--json'])
    assert.deepEqual([bad.code, JSON.parse(bad.out).error.code], [1, 'DEFINITION_INVALID'])
    assert.equal((await waybill(place, ['graph', 'gone.json'])).code, 2)
    assert.equal((await waybill(place, ['graph', 'agent.json', '--format', 'png'])).code, 2)
    assert.equal((await waybill(place, ['graph', 'agent.json', '-o', 'no/such/folder.svg'])).code, 2)
  })

  test('the nodes and edges as JSON', async (t) => {
    const place = new Place(t, RICH)
    rich(place)
    const { out } = await waybill(place, ['graph', 'agent.json', '--tools', 'tools.mjs', '--format', 'json'])
    const { nodes, edges } = JSON.parse(out) as AgentGraph
    assert.deepEqual(
      nodes.find(({ title }) => title === 'find'),
      {
        id: 'a0t0',
        kind: 'tool',
        title: 'find',
        facts: ['http', 'shop.example', 'write', 'needs approval', 'secret SHOP_TOKEN'],
        effect: 'write',
        asks: true,
      },
    )
    assert.deepEqual(
      edges.filter(({ from, to }) => from === 'a0' && to === 'a1'),
      [
        { from: 'a0', to: 'a1', kind: 'call', labels: ['when it is large · billing', 'otherwise · general'] },
        {
          from: 'a0',
          to: 'a1',
          kind: 'handoff',
          labels: ['hand-off when output == "no", without the conversation, with memory'],
        },
      ],
    )
    const ids = nodes.map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
    for (const { from, to } of edges) assert.ok(ids.includes(from) && ids.includes(to))
  })
})

describe('the layout of the picture', () => {
  const graphOf = async (place: Place, file: string): Promise<AgentGraph> =>
    JSON.parse((await waybill(place, ['graph', file, '--json'])).out)

  test('no boxes and labels overlap, and all are inside the picture', async (t) => {
    const place = new Place(t, RICH)
    rich(place)
    newsroom(place)
    for (const file of ['agent.json', 'newsroom/desk.yaml', 'newsroom/readers.yaml']) {
      const { boxes, lines, width, height } = svgLayout(await graphOf(place, file))
      const labels = lines.flatMap(({ label }) => (label === undefined ? [] : [label]))
      const all = [...boxes, ...labels]
      for (const [index, a] of all.entries()) {
        assert.ok(a.x - a.width / 2 >= 0 && a.x + a.width / 2 <= width)
        assert.ok(a.y - a.height / 2 >= 0 && a.y + a.height / 2 <= height)
        for (const b of all.slice(index + 1)) {
          const apart =
            Math.abs(a.x - b.x) >= (a.width + b.width) / 2 || Math.abs(a.y - b.y) >= (a.height + b.height) / 2
          assert.ok(apart, `${file}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`)
        }
      }
    }
  })

  test('the steps of a pipeline are from top to bottom', async (t) => {
    const place = new Place(t)
    newsroom(place)
    const { boxes } = svgLayout(await graphOf(place, 'newsroom/desk.yaml'))
    const heights = ['Reporter', 'Readers', 'Writer'].map(
      (title) => boxes.find((box) => box.title === title)?.y,
    )
    assert.deepEqual(
      heights,
      heights.toSorted((a = 0, b = 0) => a - b),
    )
  })

  test('edges leave a box in the order of their targets', async (t) => {
    const place = new Place(t, RICH)
    rich(place)
    const graph = await graphOf(place, 'agent.json')
    const ends = svgRoutes(svgLayout(graph).boxes, svgLayout(graph).lines)
    const paths = [...ends].flatMap(([{ edge }, path]) => (edge.from === 'a0' ? [path] : []))
    assert.ok(paths.length > 5)
    const heights = paths.map((path) => {
      const points = [...path.matchAll(/-?[\d.]+ -?[\d.]+/g)].map(([point]) => Number(point.split(' ')[1]))
      return { start: points[0] ?? 0, next: points[4] ?? 0 }
    })
    const sorted = heights.toSorted((a, b) => a.start - b.start).map(({ next }) => next)
    assert.deepEqual(
      sorted,
      sorted.toSorted((a, b) => a - b),
    )
  })

  test('no edge crosses a box', async (t) => {
    const place = new Place(t, RICH)
    rich(place)
    for (const graph of [await graphOf(place, 'agent.json')]) {
      const { boxes } = svgLayout(graph)
      const paths = [...svgGraph(graph).matchAll(/class="edge[^"]*" d="([^"]+)"/g)].map(
        ([, path = '']) => path,
      )
      assert.equal(paths.length, graph.edges.length)
      for (const path of paths)
        for (const [x, y] of pointsOn(path))
          for (const box of boxes) {
            const inside = Math.abs(x - box.x) < box.width / 2 - 1 && Math.abs(y - box.y) < box.height / 2 - 1
            assert.ok(!inside, `${path} crosses ${box.title}`)
          }
    }
  })
})

/** Returns points on a path of straight lines and cubic curves. */
function pointsOn(path: string): readonly (readonly [x: number, y: number])[] {
  const points: [number, number][] = []
  let at: readonly [number, number] = [0, 0]
  for (const [, command = '', numbers = ''] of path.matchAll(/([MLC])([^MLCQ]+)/g)) {
    const n = numbers.trim().split(/[ ,]+/).map(Number)
    const [x = 0, y = 0] = n.slice(-2)
    const [x1 = at[0], y1 = at[1], x2 = x, y2 = y] = command === 'C' ? n : []
    for (let step = 0; command !== 'M' && step <= 20; step++) {
      const s = step / 20
      const mix = (a: number, b: number, c: number, d: number) =>
        a * (1 - s) ** 3 + 3 * b * s * (1 - s) ** 2 + 3 * c * s ** 2 * (1 - s) + d * s ** 3
      points.push([mix(at[0], x1, x2, x), mix(at[1], y1, y2, y)])
    }
    at = [x, y]
  }
  return points
}
