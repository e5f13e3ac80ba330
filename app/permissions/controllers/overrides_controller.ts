import type { HttpContext } from '@adonisjs/core/http'
import { inChangeBudgetIfLarge } from '#core/database/large_changes'
import { changerOf } from '#core/http/caller_name'
import { ifMatch, tagged } from '#core/http/etag'
import { emailParam, textParam } from '#core/http/path_params'
import { readFresh } from '#core/http/read_fresh'
import { inSearchTurn } from '#core/http/search_turn'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import { replaceOverrides } from '#app/permissions/actions/replace_overrides'
import { type ShownOverride, listOverrides } from '#app/permissions/queries/user_overrides'
import { overrideResource } from '#app/permissions/transformers/assignment_resources'
import { overridesValidator } from '#app/permissions/validators/assignment_validator'
import { MAX_RESOURCE_ID_LENGTH, MAX_RESOURCE_TYPE_LENGTH } from '#app/permissions/values/fields'
import type { OverrideTarget } from '#app/permissions/values/overrides'

/** See permissions.md#overrides. */
export default class OverridesController {
  /** List the overrides of a user in an application. */
  async index(ctx: HttpContext) {
    const email = emailParam(ctx)
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const read = () => readFresh(ctx, (client) => listOverrides({ email }, application, client))
    const overrides = await inSearchTurn(ctx, read)
    return successEnvelope(overrideResources(application.code)(overrides))
  }

  /** List the overrides of a user on one resource. */
  async show(ctx: HttpContext) {
    const { appCode, ...target } = overrideTarget(ctx)
    const application = await Application.withCode(appCode)
    const overrides = await listOverrides(target, application)
    return successEnvelope(tagged(ctx, overrideResources(appCode)(overrides)))
  }

  /** Replace the overrides of a user on one resource. */
  async update(ctx: HttpContext) {
    const target = overrideTarget(ctx)
    const { permissions } = await overridesValidator.validate(ctx.request.body())
    const toResources = overrideResources(target.appCode)
    const overrides = await inChangeBudgetIfLarge(changerOf(ctx), permissions.length, () =>
      replaceOverrides(target, permissions, ifMatch(ctx, toResources))
    )
    return successEnvelope(tagged(ctx, toResources(overrides)))
  }
}

const overrideResources = (appCode: string) => (overrides: ShownOverride[]) =>
  overrides.map((override) => overrideResource(appCode, override))

function overrideTarget(ctx: HttpContext): OverrideTarget {
  return {
    email: emailParam(ctx),
    appCode: textParam(ctx, 'appCode'),
    resourceType: textParam(ctx, 'resourceType', MAX_RESOURCE_TYPE_LENGTH),
    resourceId: textParam(ctx, 'resourceId', MAX_RESOURCE_ID_LENGTH),
  }
}
