import type { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import { type Destination, insertRows } from '#core/database/insert_rows'
import type { OverrideItem, OverrideList } from '#app/permissions/values/overrides'
import { windowColumns } from '#app/permissions/values/time_window'

const RESOURCE_OVERRIDES: Destination = {
  table: 'resource_overrides',
  columns: {
    email: 'text',
    resource_type: 'text',
    resource_id: 'text',
    permission_id: 'integer',
    granted: 'boolean',
    access_level: 'text',
    condition: 'text',
    created_at: 'timestamptz',
    valid_from: 'timestamptz',
    valid_until: 'timestamptz',
  },
}

/** Stores the lists, each item with the time of its assignment. */
export async function insertOverrides(
  lists: OverrideList[],
  assignedAt: (item: OverrideItem) => DateTime,
  trx: TransactionClientContract
): Promise<void> {
  const rows = lists.flatMap(({ email, resourceType, resourceId, items }) =>
    items.map((item) => ({
      email,
      resource_type: resourceType,
      resource_id: resourceId,
      permission_id: item.permissionId,
      granted: item.granted,
      access_level: item.accessLevel ?? null,
      condition: item.condition ?? null,
      created_at: toDatabaseTimestamp(assignedAt(item)),
      ...windowColumns(item),
    }))
  )
  await insertRows(RESOURCE_OVERRIDES, rows, trx)
}
