export interface ServerConfig {
  readonly databaseUrl: string
}
import { answer } from './child.ts'
answer(() => null)
