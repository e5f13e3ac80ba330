import type { HttpContext } from '@adonisjs/core/http'
import { inChangeBudget } from '#core/database/large_changes'
import { changerOf } from '#core/http/caller_name'
import { ifMatch, tagged } from '#core/http/etag'
import { type ListRequest, listValidator, readList } from '#core/http/lists'
import { textParam } from '#core/http/path_params'
import { dryRunValidator } from '#core/validation/dry_run_validator'
import { successEnvelope } from '#core/values/envelopes'
import { requireApplicationAccess } from '#app/auth/values/internal_caller'
import Application from '#app/applications/models/application'
import { createType } from '#app/notifications/actions/create_type'
import { deleteType } from '#app/notifications/actions/delete_type'
import { updateType } from '#app/notifications/actions/update_type'
import NotificationType from '#app/notifications/models/notification_type'
import { notificationTypeResource } from '#app/notifications/transformers/notification_type_resource'
import {
  applicationQueryValidator,
  createTypeValidator,
  updateTypeValidator,
} from '#app/notifications/validators/notification_type_validator'
import { withCompleteDigest } from '#app/notifications/values/digest_frequency'

/** See notifications.md#type-routes. */
export default class TypesController {
  /** List notification types. */
  async index(ctx: HttpContext) {
    const request = await listValidator.validate(ctx.request.qs())
    return successEnvelope(await typesOf(ctx, textParam(ctx, 'appCode'), request))
  }

  /** List notification types. */
  async list(ctx: HttpContext) {
    const { appCode, ...request } = await applicationQueryValidator.validate(ctx.request.qs())
    requireApplicationAccess(ctx.internalCaller, appCode)
    return successEnvelope(await typesOf(ctx, appCode, request))
  }

  /** Get a notification type. */
  async show(ctx: HttpContext) {
    const type = await NotificationType.of(textParam(ctx, 'appCode'), textParam(ctx, 'type'))
    return successEnvelope(tagged(ctx, notificationTypeResource(type)))
  }

  /** Create a notification type. */
  async store(ctx: HttpContext) {
    const fields = await createTypeValidator.validate(ctx.request.body())
    const type = await createType(textParam(ctx, 'appCode'), withCompleteDigest(fields))
    return ctx.response.created(successEnvelope(tagged(ctx, notificationTypeResource(type))))
  }

  /** Update a notification type. Only the fields that are sent change. */
  async update(ctx: HttpContext) {
    const changes = await updateTypeValidator.validate(ctx.request.body())
    const [appCode, code] = [textParam(ctx, 'appCode'), textParam(ctx, 'type')]
    const fresh = ifMatch(ctx, notificationTypeResource)
    const type = await updateType(appCode, code, withCompleteDigest(changes), fresh)
    return successEnvelope(tagged(ctx, notificationTypeResource(type)))
  }

  /**
   * Delete a notification type. Its templates and users' preferences are deleted too. With
   * `dryRun=true`, nothing is deleted and the response lists what would be.
   */
  async destroy(ctx: HttpContext) {
    const { dryRun } = await dryRunValidator.validate(ctx.request.qs())
    const options = { dryRun, requireFresh: ifMatch(ctx, notificationTypeResource) }
    const [appCode, code] = [textParam(ctx, 'appCode'), textParam(ctx, 'type')]
    const preview = await inChangeBudget(changerOf(ctx), () => deleteType(appCode, code, options))
    return preview ? successEnvelope(preview) : ctx.response.noContent()
  }
}

async function typesOf(ctx: HttpContext, appCode: string, request: ListRequest) {
  const { id: applicationId } = await Application.withCode(appCode)
  const types = await readList(
    ctx,
    (client) => NotificationType.query({ client }).where({ applicationId }),
    request,
    ['code', 'name']
  )
  return types.map(notificationTypeResource)
}
