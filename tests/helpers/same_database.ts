import type { ServiceSettings } from '#tests/world/service'

/** Settings that put a further process of the service on the database of the one under test. */
export function sameDatabase(): ServiceSettings {
  return process.env.DB_CONNECTION === 'pg'
    ? { DATABASE_URL: process.env.DATABASE_URL }
    : { SQLITE_PATH: process.env.SQLITE_PATH }
}
