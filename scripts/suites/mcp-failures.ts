/** Client scenarios of the official MCP runner that fail, each with its reason. */
export const EXPECTED_FAILURES: Readonly<Record<string, string>> = {
  'sep-2322-client-request-state':
    'a server that asks a question within a call (`input_required`) is refused: no person is asked yet',
  'elicitation-sep1034-client-defaults':
    'elicitation is not declared: a question of a server is not put to a person yet',
}
