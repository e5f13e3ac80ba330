import { serverUrls } from '#core/database/servers/server_urls'

/** The search for the server that accepts writes gives each of them a share of three seconds. */
const MAX_SERVERS = 6
/** The names of libpq for servers that accept writes. */
const WRITABLE = [null, 'read-write', 'primary']
/** The driver ignores it, and looks for PostgreSQL on any server. */
const OTHER_SCHEME = /^(?!postgres(?:ql)?:)[a-z][a-z0-9+.-]*:\/\//i
const MUST_BE_POSTGRES = 'must begin with postgres:// or postgresql://'

/** Errors of connection strings. They contain no values, because these have passwords. */
export function databaseSettingErrors(settings: Record<string, string | undefined>): string[] {
  const { DATABASE_REPLICA_URL: replica = '' } = settings
  return [
    ...['DATABASE_URL', 'DATABASE_LISTEN_URL'].flatMap((name) =>
      errorsOf(settings[name] ?? '').map((error) => `${name} ${error}`)
    ),
    ...replicaErrors(replica).map((error) => `DATABASE_REPLICA_URL ${error}`),
  ]
}

function replicaErrors(setting: string): string[] {
  if (OTHER_SCHEME.test(setting)) return [MUST_BE_POSTGRES]
  return serverUrls(setting).length === 1 ? [] : ['must name one server']
}

function errorsOf(setting: string): string[] {
  if (OTHER_SCHEME.test(setting)) return [MUST_BE_POSTGRES]
  const urls = serverUrls(setting)
  if (urls.length === 1) return []
  if (urls.length > MAX_SERVERS) return [`must name at most ${MAX_SERVERS} servers`]
  const parsed = urls.map((url) => URL.parse(url))
  if (parsed.some((url) => !url?.hostname))
    return ['must name servers as in postgres://user:password@a:5432,b:5432/database']
  return WRITABLE.includes(parsed[0]!.searchParams.get('target_session_attrs'))
    ? []
    : ['must not have target_session_attrs other than read-write or primary']
}
