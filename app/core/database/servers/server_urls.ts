const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s

/**
 * The connection strings of the servers that one connection string names, as libpq reads
 * `postgres://user:password@a:5432,b:5432/database`. The driver knows only strings with one server.
 */
export function serverUrls(url: string): string[] {
  const [, credentials, hosts = '', rest] = PARTS.exec(url) ?? []
  if (!hosts.includes(',')) return [url]
  return hosts.split(',').map((host) => `${credentials}${host}${rest}`)
}

/** Without user and password, for messages. */
export function serverName(url: string): string {
  return PARTS.exec(url)?.[2] ?? 'the server'
}
