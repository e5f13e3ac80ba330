import type { HttpContext } from '@adonisjs/core/http'
import { invalidField } from '#core/exceptions/problems'
import { openExport } from '#core/http/open_export'
import { DEFAULT_PAGE_SIZE, linkNext } from '#core/http/paging'
import { textParam } from '#core/http/path_params'
import { readFresh } from '#core/http/read_fresh'
import { openCursor, sealCursor } from '#core/http/sealed_cursor'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { type Review, readReview, readWholeReview } from '#app/audit/actions/review_access'
import type { RightPosition } from '#app/audit/queries/access_rights'
import { reviewCsv, reviewedRightResource } from '#app/audit/transformers/reviewed_right_resource'
import { accessReviewValidator } from '#app/audit/validators/access_review_validator'
import { MEDIA_TYPE, exportFormat } from '#core/http/export_format'
import { inSearchTurn } from '#core/http/search_turn'

const CURSOR = 'access_review'

/** See audit.md#access-reviews. */
export default class AccessReviewsController {
  /**
   * Review who has access to an application. Lists every right of every user, from roles and
   * overrides and as an administrator or super admin, with who gave it. The response is a page of
   * JSON, or with `Accept` the whole review as CSV or newline-delimited JSON. Filters narrow both.
   */
  async show(ctx: HttpContext) {
    const query = await accessReviewValidator.validate(ctx.request.qs())
    const { limit = DEFAULT_PAGE_SIZE, cursor, ...filter } = query
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const review = {
      application,
      filter,
      // It can change while a whole review is sent.
      get seesPlatform() {
        return ctx.panelAccess.isGlobalAdmin
      },
    }
    switch (exportFormat(ctx)) {
      case 'json':
        return readPage(ctx, review, { limit, cursor })
      case 'csv':
        return ctx.response
          .header('content-type', MEDIA_TYPE.csv)
          .stream(await openExport(ctx, writeCsv(review)))
      case 'ndjson':
        return ctx.response
          .header('content-type', MEDIA_TYPE.ndjson)
          .stream(await openExport(ctx, writeLines(review)))
    }
  }
}

async function readPage(
  ctx: HttpContext,
  review: Review,
  { limit, cursor }: { limit: number; cursor?: string }
) {
  const after = cursor === undefined ? undefined : openPosition(cursor, review)
  const read = () => readFresh(ctx, (client) => readReview(review, { after, limit }, client))
  const { rights, next } = await inSearchTurn(ctx, read)
  if (next !== null) linkNext(ctx, sealPosition(next, review))
  return successEnvelope(rights.map(reviewedRightResource))
}

async function* writeCsv(review: Review) {
  let header = true
  for await (const rights of readWholeReview(review)) {
    yield reviewCsv(rights, { header })
    header = false
  }
}

async function* writeLines(review: Review) {
  for await (const rights of readWholeReview(review)) {
    yield rights.map((right) => `${JSON.stringify(reviewedRightResource(right))}\n`).join('')
  }
}

/** What a cursor is bound to. */
const askedBy = ({ application: { id }, filter }: Review) => [id, filter]

function sealPosition(position: RightPosition, review: Review): string {
  const { email, source, id: assignment, permission_id: permission } = position
  return sealCursor([email, source, assignment, permission], CURSOR, askedBy(review))
}

/** @throws ValidationError for a cursor of another review, or one that was made up */
function openPosition(cursor: string, review: Review): RightPosition {
  const position = openCursor<[string, number, number, number]>(cursor, CURSOR, askedBy(review))
  if (position === null) {
    const message = 'The cursor must come from the Link header of a page with the same filters'
    throw invalidField('cursor', 'cursor', message)
  }
  const [email, source, assignment, permission] = position
  return { email, source, id: assignment, permission_id: permission }
}
