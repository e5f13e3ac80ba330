import { usesPostgres } from '#core/database/dialect'

/** SQL for the UTC day of a timestamp, as `YYYY-MM-DD`. */
export const utcDay = (column: string) =>
  usesPostgres()
    ? `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD')`
    : `substr(${column}, 1, 10)`
