import type { HttpContext } from '@adonisjs/core/http'
import { inChangeBudget } from '#core/database/large_changes'
import { changerOf } from '#core/http/caller_name'
import { totalIfRequested } from '#core/http/lists'
import { DEFAULT_PAGE_SIZE, decodePosition, linkNextFrom } from '#core/http/paging'
import { textParam } from '#core/http/path_params'
import { readFresh } from '#core/http/read_fresh'
import { inSearchTurn } from '#core/http/search_turn'
import { dryRunValidator } from '#core/validation/dry_run_validator'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { importAssignments } from '#app/permissions/actions/import_assignments'
import {
  ASSIGNMENT_KINDS,
  countAssignments,
  listAssignments,
} from '#app/permissions/queries/assignments'
import { assignmentResource } from '#app/permissions/transformers/assignment_resources'
import { readImportRows } from '#app/permissions/validators/import_rows'
import { listAssignmentsValidator } from '#app/permissions/validators/assignment_validator'

/** See permissions.md#assignments. */
export default class AssignmentsController {
  /**
   * List the assignments of an application. Roles come first, then overrides, then administrators.
   * `search` is part of an address. `roleId` finds only role assignments, `resourceType` and
   * `resourceId` only overrides. `permissionId` finds assignments of roles that grant the
   * permission, and overrides on it. `endsWithinDays` finds what ends within that number of days.
   */
  async index(ctx: HttpContext) {
    const query = await listAssignmentsValidator.validate(ctx.request.qs())
    const { limit = DEFAULT_PAGE_SIZE, cursor, count, ...filter } = query
    const after = cursor === undefined ? null : decodePosition(cursor, ASSIGNMENT_KINDS)
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const page = { limit: limit + 1, after }
    const read = () =>
      readFresh(ctx, (client) => listAssignments(application, filter, page, client))
    const isSearch = filter.search !== undefined || filter.endsWithinDays !== undefined
    const found = await (isSearch ? inSearchTurn(ctx, read) : read())
    await totalIfRequested(ctx, count, (client) => countAssignments(application, filter, client))
    const shown = found.slice(0, limit)
    const last = shown.at(-1)
    if (last && found.length > limit) linkNextFrom(ctx, last.kind, last.row.id)
    return successEnvelope(shown.map(assignmentResource))
  }

  /**
   * Import role assignments. Send JSON, or CSV with the columns `email` and `role`. Either all rows
   * are imported or none; a refusal lists every invalid row. With `dryRun=true`, nothing changes
   * and invalid rows are listed in `errors`.
   */
  async import(ctx: HttpContext) {
    const { dryRun } = await dryRunValidator.validate(ctx.request.qs())
    const appCode = textParam(ctx, 'appCode')
    const run = async () => importAssignments(appCode, await readImportRows(ctx), { dryRun })
    return successEnvelope(await inChangeBudget(changerOf(ctx), run))
  }
}
