import type { HttpContext } from '@adonisjs/core/http'
import { DateTime } from 'luxon'
import { totalIfRequested } from '#core/http/lists'
import { type PageRequest, pageOf, pagedBySize } from '#core/http/paging'
import { emailParam } from '#core/http/path_params'
import { readFresh } from '#core/http/read_fresh'
import { successEnvelope } from '#core/values/envelopes'
import { readVisibleApplications } from '#app/audit/actions/read_visible_applications'
import AuditChain from '#app/audit/models/audit_chain'
import type { EntryFields } from '#app/audit/queries/entry_filter'
import { countEntries, readEntries } from '#app/audit/queries/entry_list'
import { auditCsv } from '#app/audit/transformers/audit_csv'
import {
  type AuditEntryResource,
  auditEntryResource,
  unchainedEntryResource,
} from '#app/audit/transformers/audit_entry_resource'
import { listAuditValidator, userAuditValidator } from '#app/audit/validators/audit_validator'
import { MEDIA_TYPE, exportFormat } from '#core/http/export_format'
import { inSearchTurn } from '#core/http/search_turn'

interface ListRequest extends PageRequest, Omit<EntryFields, 'actorEmail'> {
  actor?: string
  from?: string
  to?: string
}

/** See audit.md. */
export default class AuditController {
  /**
   * List the audit trail. The newest entry comes first. Global panel admins see all entries; others
   * those of the applications that they can see. `Accept` chooses JSON, CSV or newline-delimited
   * JSON.
   */
  async index(ctx: HttpContext) {
    return this.#list(ctx, await listAuditValidator.validate(ctx.request.qs()))
  }

  /**
   * List the audit trail of a user: changes of their access and their record. The newest entry
   * comes first. Global panel admins see all entries; others those of the applications that they
   * can see.
   */
  async ofUser(ctx: HttpContext) {
    const email = emailParam(ctx)
    return this.#list(ctx, { ...(await userAuditValidator.validate(ctx.request.qs())), email })
  }

  /**
   * Get the head of the chain of audit entries. A copy elsewhere later proves that no entry up to
   * it was altered or removed.
   */
  async head() {
    return successEnvelope((await AuditChain.current()).head)
  }

  async #list(ctx: HttpContext, { limit, cursor, count, actor, from, to, ...rest }: ListRequest) {
    const page = pageOf({ limit, cursor, count })
    const wanted = { ...rest, actorEmail: actor, from: parseMoment(from), to: parseMoment(to) }
    const { filter, found } = await inSearchTurn(ctx, async () => {
      const visible = await readVisibleApplications(ctx.panelAccess, rest.application)
      const shown = { ...wanted, visible }
      return {
        filter: shown,
        found: await readFresh(ctx, (client) => readEntries(shown, page, client)),
      }
    })
    await totalIfRequested(ctx, count, (client) => countEntries(filter, client))
    const toResource = filter.visible === undefined ? auditEntryResource : unchainedEntryResource
    const entries = pagedBySize(ctx, found).map(toResource)
    switch (exportFormat(ctx)) {
      case 'json':
        return successEnvelope(entries)
      case 'csv':
        return ctx.response
          .status(200)
          .header('content-type', MEDIA_TYPE.csv)
          .send(auditCsv(entries))
      case 'ndjson':
        return ctx.response
          .status(200)
          .header('content-type', MEDIA_TYPE.ndjson)
          .send(ndjson(entries))
    }
  }
}

const ndjson = (entries: AuditEntryResource[]) =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')

const parseMoment = (text: string | undefined) =>
  text === undefined ? undefined : DateTime.fromISO(text, { zone: 'utc' })
