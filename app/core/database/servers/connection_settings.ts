import { serverUrls } from '#core/database/servers/server_urls'
import { writableServer } from '#core/database/servers/writable_server'

interface Settings {
  connectionString: string
}

/**
 * Settings of a connection pool to the server that accepts writes. If `connectionString` names
 * several, they are a thenable: Lucid awaits them for each new connection, which therefore goes to
 * the server that accepts writes at that time.
 */
export function connectionSettings<S extends Settings>(settings: S): S {
  const { connectionString } = settings
  if (serverUrls(connectionString).length === 1) return settings
  const found = async () => ({
    ...settings,
    connectionString: await writableServer(connectionString),
  })
  const then: Promise<S>['then'] = (onFound, onFailed) => found().then(onFound, onFailed)
  return { ...settings, then }
}
