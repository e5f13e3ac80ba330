import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { filterByText } from '#core/database/filter_by_text'
import type { Page } from '#core/http/paging'
import type Entity from '#app/applications/models/entity'
import Resource from '#app/applications/models/resource'

/** Lists one resource more than the page holds. @param search part of an id or a label */
export function listResources(
  entity: Entity,
  search: string | undefined,
  page: Page,
  client?: TransactionClientContract
) {
  const query = Resource.query({ client })
    .where('entityId', entity.id)
    .if(page.after, (resources) => resources.where('id', '>', page.after!))
    .orderBy('id')
    .limit(page.limit + 1)
  if (search) filterByText(query, ['resource_id', 'label'], search)
  return query
}
