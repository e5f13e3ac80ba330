import pg from 'pg'

/**
 * A session whose client is gone ends: during a statement within seconds if the connection was
 * closed, and within half a minute if the client's machine no longer responds.
 */
const SETTINGS = {
  client_connection_check_interval: '2s',
  tcp_keepalives_idle: '10s',
  tcp_keepalives_interval: '5s',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '20s',
}

/** Sets those that the server knows: the first came with PostgreSQL 14, the last with 12. */
const SET_KNOWN = `
  select set_config(name, value, false)
  from unnest($1::text[], $2::text[]) as wanted (name, value)
  where current_setting(name, true) is not null`

/**
 * Lets the server notice that this client is lost. By default that takes it two hours, in which the
 * client's transaction keeps its locks. Settings that the server does not accept are left out.
 */
export async function noticeLostClient(
  client: pg.Client,
  settings: Record<string, string> = SETTINGS
) {
  const names = Object.keys(settings)
  try {
    await client.query(SET_KNOWN, [names, Object.values(settings)])
  } catch (error) {
    if (!isRefused(error)) throw error
    if (names.length === 1) return
    // One that the server's system does not support must not prevent the others.
    for (const name of names) await noticeLostClient(client, { [name]: settings[name] })
  }
}

const isRefused = (error: unknown) =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR'
