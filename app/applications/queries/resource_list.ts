import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { filterByText } from '#core/database/filter_by_text'
import { type PlainRow, plainRows } from '#core/database/plain_rows'
import { RowSizes } from '#core/database/row_sizes'
import { type Page, type SizedPage, sizedPage } from '#core/http/paging'
import type Entity from '#app/applications/models/entity'
import Resource from '#app/applications/models/resource'

const sizes = new RowSizes('resources', { texts: ['resource_id', 'label'], json: ['properties'] })

/** By ascending id. @param search part of an id or a label */
export async function listResources(
  entity: Entity,
  search: string | undefined,
  page: Page,
  client?: TransactionClientContract
): Promise<SizedPage<PlainRow<Resource>>> {
  return sizedPage({
    found: await findResources(entity, search, page, client),
    page,
    sizes,
    client,
    read: (ids) => plainRows(Resource.query({ client }).whereIn('id', ids)),
  })
}

/** The ids of a page and one more. */
export function findResources(
  entity: Entity,
  search: string | undefined,
  page: Page,
  client?: TransactionClientContract
) {
  const query = Resource.query({ client })
    .select('id')
    .where('entityId', entity.id)
    .if(page.after, (resources) => resources.where('id', '>', page.after!))
    .orderBy('id')
    .limit(page.limit + 1)
  if (search) filterByText(query, ['resource_id', 'label'], search)
  return query
}
