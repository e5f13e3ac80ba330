import type { HttpContext } from '@adonisjs/core/http'
import { callerKey } from '#core/http/caller_name'
import { ifMatch, tagged } from '#core/http/etag'
import { countIfRequested } from '#core/http/lists'
import { pageOf, paged } from '#core/http/paging'
import { idParam, textParam } from '#core/http/path_params'
import { readFresh } from '#core/http/read_fresh'
import { successEnvelope } from '#core/values/envelopes'
import { findLanguageOf } from '#app/notifications/actions/find_version'
import { restoreVersion } from '#app/notifications/actions/save_version'
import TemplateRevision from '#app/notifications/models/template_revision'
import type TemplateVersion from '#app/notifications/models/template_version'
import { revisionList, revisionsOf } from '#app/notifications/queries/revision_list'
import { templateVersionResource } from '#app/notifications/transformers/template_resource'
import {
  listedRevisionResource,
  templateRevisionResource,
} from '#app/notifications/transformers/template_revision_resource'
import {
  historyValidator,
  restoreVersionValidator,
} from '#app/notifications/validators/template_validator'

/** What language versions said before (notifications.md#revisions). */
export default class TemplateRevisionsController {
  /**
   * List the revisions of a language version. The newest comes first. Those of a deleted version
   * are kept, so that it can be restored.
   */
  async index(ctx: HttpContext) {
    const { id, locale } = await findLanguageOf(idParam(ctx, 'id'), textParam(ctx, 'locale'))
    const page = pageOf(await historyValidator.validate(ctx.request.qs()))
    await countIfRequested(ctx, page, (whole, client) => revisionList(id, locale, whole, client))
    const revisions = await readFresh(ctx, (client) => revisionsOf(id, locale, page, client))
    return successEnvelope(paged(ctx, revisions, page).map(listedRevisionResource))
  }

  /** Get a revision of a language version, with its texts. */
  async show(ctx: HttpContext) {
    const { id, locale } = await findLanguageOf(idParam(ctx, 'id'), textParam(ctx, 'locale'))
    const revision = await TemplateRevision.of(id, locale, idParam(ctx, 'revision'))
    return successEnvelope(templateRevisionResource(revision))
  }

  /**
   * Restore a revision of a language version. Its texts are saved as a new revision, and
   * `warnings` lists problems that do not prevent it.
   */
  async restore(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const locale = textParam(ctx, 'locale')
    const { revision } = await restoreVersionValidator.validate(ctx.request.body())
    const requireFresh = ifMatch(
      ctx,
      (stored: TemplateVersion | null) => stored && templateVersionResource(stored)
    )
    const saving = { author: callerKey(ctx), requireFresh }
    const { version, warnings } = await restoreVersion(id, locale, revision, saving)
    return successEnvelope({ ...tagged(ctx, templateVersionResource(version)), warnings })
  }
}
