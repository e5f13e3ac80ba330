import type { HttpContext } from '@adonisjs/core/http'
import { emailParam, textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import Application from '#app/applications/models/application'
import {
  type OverrideTarget,
  overridesOf,
  replaceOverrides,
} from '#app/permissions/actions/replace_overrides'
import { overrideResource } from '#app/permissions/transformers/assignment'
import { overridesValidator } from '#app/permissions/validators/assignment_validator'

/** A person's overrides on resources of an application (permissions.md#overrides). */
export default class OverridesController {
  /** Lists a person's overrides on all resources of an application. */
  async index(ctx: HttpContext) {
    const email = emailParam(ctx)
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    const overrides = await overridesOf(email, application).preload('permission').orderBy('id')
    return successEnvelope(
      overrides.map((override) => overrideResource(application.code, override))
    )
  }

  /** Lists a person's overrides on one resource. */
  async show(ctx: HttpContext) {
    const { email, appCode, resourceType, resourceId } = targetOf(ctx)
    const application = await Application.withCode(appCode)
    const overrides = await overridesOf(email, application)
      .where({ resourceType, resourceId })
      .preload('permission')
      .orderBy('id')
    return successEnvelope(overrides.map((override) => overrideResource(appCode, override)))
  }

  /** Replaces a person's overrides on one resource. */
  async update(ctx: HttpContext) {
    const target = targetOf(ctx)
    const { permissions } = await overridesValidator.validate(ctx.request.body())
    const overrides = await replaceOverrides(target, permissions)
    return successEnvelope(overrides.map((override) => overrideResource(target.appCode, override)))
  }
}

/** No longer than what checks accept, so that no override can be stored that no check can ask for. */
const MAX_RESOURCE_ID = 255
const MAX_RESOURCE_TYPE = 128

function targetOf(ctx: HttpContext): OverrideTarget {
  return {
    email: emailParam(ctx),
    appCode: textParam(ctx, 'appCode'),
    resourceType: textParam(ctx, 'resourceType', MAX_RESOURCE_TYPE),
    resourceId: textParam(ctx, 'resourceId', MAX_RESOURCE_ID),
  }
}
