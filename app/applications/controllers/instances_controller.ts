import type { HttpContext } from '@adonisjs/core/http'
import { idParam, textParam } from '#core/http/path_params'
import { dryRunValidator } from '#core/validation/dry_run_validator'
import { successEnvelope } from '#core/values/envelopes'
import { approveInstance } from '#app/applications/actions/approve_instance'
import { createInstance } from '#app/applications/actions/create_instance'
import { deleteInstance } from '#app/applications/actions/delete_instance'
import { updateInstance } from '#app/applications/actions/update_instance'
import Application from '#app/applications/models/application'
import { instanceResource } from '#app/applications/transformers/instance_resource'
import {
  approveInstanceValidator,
  createInstanceValidator,
  updateInstanceValidator,
} from '#app/applications/validators/instance_validator'

/** See applications.md#instances. */
export default class InstancesController {
  /** List the instances of an application. */
  async index(ctx: HttpContext) {
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    await application.load('instances', (instances) => instances.orderBy('id'))
    return successEnvelope(application.instances.map(instanceResource))
  }

  /**
   * Create an instance. Unless a super admin creates it, the instance needs approval before its
   * URLs are used at the identity provider and for CORS.
   */
  async store(ctx: HttpContext) {
    const fields = await createInstanceValidator.validate(ctx.request.body())
    const instance = await createInstance(textParam(ctx, 'appCode'), fields, ctx.panelAccess)
    return ctx.response.created(successEnvelope(instanceResource(instance)))
  }

  /**
   * Update an instance. Fields that are not sent stay as they are. Unless a super admin makes the
   * change, new URLs need approval again.
   */
  async update(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const fields = await updateInstanceValidator.validate(ctx.request.body())
    const instance = await updateInstance(textParam(ctx, 'appCode'), id, fields, ctx.panelAccess)
    return successEnvelope(instanceResource(instance))
  }

  /**
   * Approve the URLs of an instance. Send the URLs that you reviewed: if the instance has different
   * URLs by now, the request fails and nothing is approved.
   */
  async approve(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const reviewed = await approveInstanceValidator.validate(ctx.request.body())
    const instance = await approveInstance(textParam(ctx, 'appCode'), id, reviewed)
    return successEnvelope(instanceResource(instance))
  }

  /**
   * Delete an instance. With `dryRun=true`, nothing is deleted and the response lists what would
   * be.
   */
  async destroy(ctx: HttpContext) {
    const { dryRun } = await dryRunValidator.validate(ctx.request.qs())
    const preview = await deleteInstance(textParam(ctx, 'appCode'), idParam(ctx, 'id'), dryRun)
    return preview ? successEnvelope(preview) : ctx.response.noContent()
  }
}
