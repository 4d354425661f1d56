import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import type { Subject } from '../../loop/subject.ts'
import { langGraph } from './subject.ts'

/** A checkpoint in PostgreSQL after each step. @param url of a database without tables */
export async function openSubject(url: string): Promise<Subject> {
  const saver = PostgresSaver.fromConnString(url)
  await saver.setup()
  return langGraph('LangGraph 1, PostgresSaver', () => saver)
}
