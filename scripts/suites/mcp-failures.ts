/** Client scenarios of the official MCP runner that fail, each with its reason. */
export const EXPECTED_FAILURES: Readonly<Record<string, string>> = {}
