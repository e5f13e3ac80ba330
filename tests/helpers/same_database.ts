import type { ServiceSettings } from '#tests/world/service'

/** Settings for another process on the tests' database. */
export function sameDatabase(): ServiceSettings {
  return process.env.DB_CONNECTION === 'pg'
    ? { DATABASE_URL: process.env.DATABASE_URL }
    : { SQLITE_PATH: process.env.SQLITE_PATH }
}
