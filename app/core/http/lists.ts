import vine from '@vinejs/vine'
import type { HttpContext } from '@adonisjs/core/http'
import type { LucidModel, ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'
import { filterByText } from '#core/database/filter_by_text'
import { type PlainRow, plainRows } from '#core/database/plain_rows'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { type Page, type PageRequest, pageOf, paged, pagingFields } from '#core/http/paging'
import { readFresh } from '#core/http/read_fresh'
import { inSearchTurn } from '#core/http/search_turn'
import { queryText } from '#core/validation/query_fields'

/** Of lists that are complete unless a page is requested (conventions.md#short-lists). */
export const listFields = { ...pagingFields, search: queryText(254).optional() }

export const listValidator = vine.create(listFields)

export interface ListRequest extends PageRequest {
  search?: string
}

/** Whether the response is the whole list, and nothing more. */
export const isComplete = ({ search, limit, cursor, count }: ListRequest) =>
  !search && limit === undefined && cursor === undefined && !count

/** Of all rows of a list, from the replica or the primary. */
type ListQuery<Model extends LucidModel, Row> = (
  client?: TransactionClientContract
) => ModelQueryBuilderContract<Model, Row>

/** Returns a list by id. @param columns What `search` covers */
export async function readList<Model extends LucidModel, Row extends { id: number }>(
  ctx: HttpContext,
  all: ListQuery<Model, Row>,
  request: ListRequest,
  columns: readonly string[]
): Promise<Row[]> {
  return readFresh(ctx, async (client) => {
    const query = all(client)
    const page = await limitList(ctx, query, request, columns)
    return page ? paged(ctx, await query, page) : query
  })
}

/** The same without models, for lists that only show their rows. */
export async function readPlainList<Model extends LucidModel>(
  ctx: HttpContext,
  all: ListQuery<Model, InstanceType<Model>>,
  request: ListRequest,
  columns: readonly string[]
): Promise<PlainRow<InstanceType<Model>>[]> {
  return readFresh(ctx, async (client) => {
    const query = all(client)
    const page = await limitList(ctx, query, request, columns)
    const rows = (await plainRows(query)) as (PlainRow<InstanceType<Model>> & { id: number })[]
    return page ? paged(ctx, rows, page) : rows
  })
}

/** Filters, orders and limits the query. Returns null if the list is not paged. */
async function limitList<Model extends LucidModel, Row>(
  ctx: HttpContext,
  query: ModelQueryBuilderContract<Model, Row>,
  { search, ...request }: ListRequest,
  columns: readonly string[]
): Promise<Page | null> {
  if (search) filterByText(query, columns, search)
  if (request.count) setTotal(ctx, await countRows(query))
  void query.orderBy('id')
  if (request.limit === undefined && request.cursor === undefined) return null
  const page = pageOf(request)
  if (page.after !== null) void query.where('id', '>', page.after)
  void query.limit(page.limit + 1)
  return page
}

/**
 * Sets `X-Total-Count` if the request contains `count=true`.
 * @param all The query of the list, for all of its pages
 */
export async function countIfRequested<Model extends LucidModel, Row>(
  ctx: HttpContext,
  page: Page,
  all: (whole: Page, client?: TransactionClientContract) => ModelQueryBuilderContract<Model, Row>
) {
  await totalIfRequested(ctx, page.count, (client) =>
    countRows(all({ ...page, after: null }, client))
  )
}

/** For lists of several queries. @param count How many entries all pages have */
export async function totalIfRequested(
  ctx: HttpContext,
  isRequested: boolean | undefined,
  count: (client?: TransactionClientContract) => Promise<number>
) {
  if (!isRequested) return
  setTotal(ctx, await inSearchTurn(ctx, () => readFresh(ctx, count)))
}

function setTotal({ response }: HttpContext, total: number) {
  response.header('x-total-count', String(total))
}

/** How many rows a query finds, whatever its order and limit. */
export async function countRows<Model extends LucidModel, Row>(
  query: ModelQueryBuilderContract<Model, Row>
): Promise<number> {
  const counting = query.clone().clearSelect().clearOrder().clearLimit().count('* as total')
  const [row] = await counting.pojo<{ total: number | string }>()
  return Number(row.total)
}
