import vine from '@vinejs/vine'
import type { HttpContext } from '@adonisjs/core/http'
import { invalidField } from '#core/exceptions/problems'
import { MAX_ID } from '#core/values/identifiers'

export const DEFAULT_PAGE_SIZE = 50
export const MAX_PAGE_SIZE = 200

/** See conventions.md#paging. */
export const pagingFields = {
  limit: vine.number().withoutDecimals().range([1, MAX_PAGE_SIZE]).optional(),
  cursor: vine.string().maxLength(128).optional(),
}

export interface Page {
  limit: number
  /** The id of the last row on the previous page. */
  after: number | null
}

/** @throws ValidationError for a cursor that this service did not issue */
export function pageOf({ limit, cursor }: { limit?: number; cursor?: string }): Page {
  return { limit: limit ?? DEFAULT_PAGE_SIZE, after: cursor ? decodeCursor(cursor) : null }
}

/** Expects up to `page.limit + 1` rows, and links to the next page if there is one. */
export function paged<T extends { id: number }>(
  { request, response }: HttpContext,
  rows: T[],
  page: Page
) {
  if (rows.length <= page.limit) return rows
  const shown = rows.slice(0, page.limit)
  const query = new URLSearchParams(request.parsedUrl.query ?? '')
  query.set('cursor', encodeCursor(shown[shown.length - 1].id))
  response.header('link', `<${request.parsedUrl.pathname}?${query}>; rel="next"`)
  return shown
}

function encodeCursor(id: number) {
  return Buffer.from(`id:${id}`).toString('base64url')
}

function decodeCursor(cursor: string): number {
  const id = Number(/^id:(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1])
  if (id <= MAX_ID) return id
  throw invalidField(
    'cursor',
    'cursor',
    'The cursor must come from the Link header of a previous page'
  )
}
