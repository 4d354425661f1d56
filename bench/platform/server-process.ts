export interface ServerConfig {
  readonly databaseUrl: string
}
