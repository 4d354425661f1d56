/** What the routes of each tag are for. */
export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  states: 'Agent States (AAIF §8): runs that arrive from other platforms, and who owns them.',
  peers: 'The other platforms and machines that runs are exchanged with.',
  memory: 'What agents have remembered.',
  audit: 'The signed audit log of the organisation, and its verification.',
  operation: 'What the monitoring of an operator reads.',
  documents: 'Documents about the server itself, which need no token.',
  openai: 'A door for clients of the OpenAI API: chat completions that are runs of agents.',
}
