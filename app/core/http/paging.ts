import vine from '@vinejs/vine'
import type { HttpContext } from '@adonisjs/core/http'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { invalidField } from '#core/exceptions/problems'
import type { RowSizes } from '#core/database/row_sizes'
import { queryFlag } from '#core/validation/query_fields'
import { MAX_ID } from '#core/values/identifiers'

export const DEFAULT_PAGE_SIZE = 50
export const MAX_PAGE_SIZE = 200
/** Of stored text. A page whose rows are larger ends early. */
export const MAX_PAGE_BYTES = 4_194_304

/** See conventions.md#paging. */
export const pagingFields = {
  limit: vine.number().withoutDecimals().range([1, MAX_PAGE_SIZE]).optional(),
  cursor: vine.string().maxLength(128).optional(),
  count: queryFlag(),
}

export interface PageRequest {
  limit?: number
  cursor?: string
  count?: boolean
}

export interface Page {
  limit: number
  /** The id of the last row on the previous page. */
  after: number | null
  /** Whether the response includes the number of rows on all pages */
  count?: boolean
}

/** @throws ValidationError for a cursor that this service did not issue */
export function pageOf({ limit, cursor, count }: PageRequest): Page {
  const after = cursor === undefined ? null : decodeCursor(cursor)
  return { limit: limit ?? DEFAULT_PAGE_SIZE, after, count }
}

/** The rows of a page whose size in bytes is limited, too. */
export interface SizedPage<Row> {
  rows: Row[]
  /** The id after which the next page begins; null on the last page. */
  nextAfter: number | null
}

interface SizedRows<Row> {
  /** The ids of up to `page.limit + 1` rows. */
  found: { id: number }[]
  /** After which row a search that found too few goes on. */
  endsAfter?: number
  page: Page
  sizes: RowSizes
  client?: TransactionClientContract
  /** Reads rows, in any order. */
  read: (ids: number[]) => Promise<Row[]>
}

/** Reads as many rows of a page as fit its size, and at least one. */
export async function sizedPage<Row extends { id: number }>({
  found,
  endsAfter,
  page,
  sizes,
  client,
  read,
}: SizedRows<Row>): Promise<SizedPage<Row>> {
  const ids = found.slice(0, page.limit).map(({ id }) => id)
  const fitting = await sizes.fitting(ids, MAX_PAGE_BYTES, client)
  const shown = ids.slice(0, Math.max(1, fitting))
  const rows = new Map((await read(shown)).map((row) => [row.id, row]))
  return {
    rows: shown.flatMap((id) => rows.get(id) ?? []),
    nextAfter: shown.length < found.length ? shown[shown.length - 1] : (endsAfter ?? null),
  }
}

/** Links to the next page if there is one. */
export function pagedBySize<Row>(ctx: HttpContext, { rows, nextAfter }: SizedPage<Row>): Row[] {
  if (nextAfter !== null) linkNextFrom(ctx, 'id', nextAfter)
  return rows
}

/** Expects up to `page.limit + 1` rows, and links to the next page if there is one. */
export function paged<T extends { id: number }>(ctx: HttpContext, rows: T[], page: Page) {
  if (rows.length <= page.limit) return rows
  const shown = rows.slice(0, page.limit)
  linkNextFrom(ctx, 'id', shown[shown.length - 1].id)
  return shown
}

function decodeCursor(cursor: string): number {
  return decodePosition(cursor, ['id']).id
}

/** Links to the next page of a list that is ordered by kind and id. */
export function linkNextFrom(ctx: HttpContext, kind: string, id: number) {
  linkNext(ctx, cursorOf(kind, id))
}

export const cursorOf = (kind: string, id: number) =>
  Buffer.from(`${kind}:${id}`).toString('base64url')

/** Links to the page that begins after this cursor. */
export function linkNext({ request, response }: HttpContext, cursor: string) {
  const query = new URLSearchParams(request.parsedUrl.query ?? '')
  query.set('cursor', cursor)
  response.header('link', `<${request.parsedUrl.pathname}?${query}>; rel="next"`)
}

/**
 * @returns the last row on the previous page
 * @throws ValidationError for a cursor that this service did not issue
 */
export function decodePosition<Kind extends string>(cursor: string, kinds: readonly Kind[]) {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [, kindText, idText] = /^([a-z]+):(\d{1,16})$/.exec(text) ?? []
  const [kind, id] = [kinds.find((each) => each === kindText), Number(idText)]
  if (kind && id <= MAX_ID) return { kind, id }
  throw invalidField(
    'cursor',
    'cursor',
    'The cursor must come from the Link header of a previous page'
  )
}
