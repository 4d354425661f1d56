/**
 * Returns the module with the functions of a first definition. They fail until they are written, so that a model never
 * gets an invented result.
 */
export function firstToolsModule(tools: readonly string[]): string {
  return `// The functions of the tools in the definition: --tools names this file.
export const tools = {
${tools.map(functionText).join('\n')}
}

// A tool counts as a write, and may need approval, unless it is marked:
// tools[${JSON.stringify(tools[0] ?? '')}].readOnly = true
`
}

function functionText(name: string): string {
  const quoted = JSON.stringify(name)
  return `  /**
   * @param {{ query: string }} args what parameters_schema of the tool describes
   * @returns {Promise<unknown>} the result for the model: any JSON value
   */
  ${quoted}: async (args) => {
    throw new Error(\`${name} is not written yet; it was called with \${JSON.stringify(args)}\`)
  },`
}
