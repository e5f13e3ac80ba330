import { usesPostgres } from '#core/database/dialect'

/** SQL for milliseconds since 1970, by the database's clock: those of other machines may differ. */
export const databaseNow = () =>
  usesPostgres()
    ? 'cast(extract(epoch from statement_timestamp()) * 1000 as double precision)'
    : `(unixepoch('subsec') * 1000)`
