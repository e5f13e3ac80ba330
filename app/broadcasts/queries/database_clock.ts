import { usesPostgres } from '#core/database/dialect'

/**
 * The time in milliseconds since 1970 as SQL, by the database's clock: leases are compared by processes on machines
 * whose own clocks may differ.
 */
export const databaseNow = () =>
  usesPostgres()
    ? 'cast(extract(epoch from statement_timestamp()) * 1000 as double precision)'
    : `(unixepoch('subsec') * 1000)`
