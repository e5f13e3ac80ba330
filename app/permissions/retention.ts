import { ExpiredRows } from '#core/retention/expired_rows'
import { recordEndedRights } from '#app/permissions/actions/record_ended_rights'
import { TABLES_OF_RIGHTS } from '#app/permissions/values/tables_of_rights'

/** Rows whose time window ended long ago, so that they decide nothing. */
export const permissionSweeps = TABLES_OF_RIGHTS.map(
  (table) =>
    new ExpiredRows({
      table,
      column: 'valid_until',
      maxAge: { days: 30 },
      record: recordEndedRights[table],
    })
)
