import { usesPostgres } from '#core/database/dialect'

/** SQL for the UTC day of a timestamp, as `YYYY-MM-DD`. */
export const utcDay = (column: string) =>
  usesPostgres()
    ? `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD')`
    : `substr(${column}, 1, 10)`

/** SQL for the UTC hour of a timestamp, as `YYYY-MM-DDTHH:00:00Z`. */
export const utcHour = (column: string) =>
  usesPostgres()
    ? `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24":00:00Z"')`
    : `substr(${column}, 1, 10) || 'T' || substr(${column}, 12, 2) || ':00:00Z'`
