import pg from 'pg'
import { serverName, serverUrls } from '#core/database/servers/server_urls'

/** Of all servers together, so that a request that needs a connection fails in time. */
const SEARCH_MS = 3_000
/** How long an answer counts for other connections. */
const FOUND_MS = 1_000
const FAILED_MS = 200

const ACCEPTS_WRITES =
  "select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writable"

/** No server of a connection string accepts writes, as during a failover. */
export class NoWritableServer extends Error {
  constructor(reasons: string[]) {
    super(`No database server accepts writes: ${reasons.join(', ')}`)
  }
}

const searches = new Map<string, Search>()

/**
 * The connection string of the server that accepts writes, among those that `url` names. A single
 * one is not asked.
 *
 * @throws NoWritableServer
 */
export async function writableServer(url: string): Promise<string> {
  const [first, ...others] = serverUrls(url)
  if (others.length === 0) return first
  let search = searches.get(url)
  if (!search) searches.set(url, (search = new Search([first, ...others])))
  return search.find()
}

/**
 * Asks each server in turn whether it accepts writes, the last one that did first. However many
 * connections a process needs, it asks one at a time, and rests after each answer.
 */
class Search {
  #urls: string[]
  readonly #limitMs: number
  #answer?: { found: Promise<string>; expiresAt: number }

  constructor(urls: string[]) {
    this.#urls = urls
    this.#limitMs = Math.floor(SEARCH_MS / urls.length)
  }

  find(): Promise<string> {
    if (this.#answer && performance.now() < this.#answer.expiresAt) return this.#answer.found
    const answer = { found: this.#ask(), expiresAt: Infinity }
    this.#answer = answer
    const expireAfter = (ms: number) => (answer.expiresAt = performance.now() + ms)
    answer.found.then(
      () => expireAfter(FOUND_MS),
      () => expireAfter(FAILED_MS)
    )
    return answer.found
  }

  async #ask(): Promise<string> {
    const reasons: string[] = []
    for (const url of this.#urls) {
      const reason = await this.#whyNotWritable(url)
      if (reason === null) {
        this.#urls = [url, ...this.#urls.filter((other) => other !== url)]
        return url
      }
      reasons.push(`${serverName(url)} ${reason}`)
    }
    throw new NoWritableServer(reasons)
  }

  async #whyNotWritable(url: string): Promise<string | null> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: this.#limitMs,
      application_name: 'concierge_search',
    })
    client.on('error', () => {})
    // The limit includes the answer, unlike that of the driver.
    const limit = setTimeout(() => client.connection.stream.destroy(), this.#limitMs)
    try {
      await client.connect()
      const { rows } = await client.query<{ writable: boolean }>(ACCEPTS_WRITES)
      return rows[0].writable ? null : 'is read-only'
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      return `is unavailable (${code ?? message})`
    } finally {
      clearTimeout(limit)
      client.connection.stream.destroy()
    }
  }
}
