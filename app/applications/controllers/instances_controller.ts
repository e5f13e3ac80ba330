import type { HttpContext } from '@adonisjs/core/http'
import { idParam, textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { approveInstance } from '#app/applications/actions/approve_instance'
import {
  createInstance,
  deleteInstance,
  updateInstance,
} from '#app/applications/actions/save_instance'
import Application from '#app/applications/models/application'
import { instanceResource } from '#app/applications/transformers/instance'
import {
  approveInstanceValidator,
  createInstanceValidator,
  updateInstanceValidator,
} from '#app/applications/validators/instance_validator'

/** Deployments of an application and their callback URLs. */
export default class InstancesController {
  /** Lists the instances of an application. */
  async index(ctx: HttpContext) {
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    await application.load('instances', (instances) => instances.orderBy('id'))
    return successEnvelope(application.instances.map(instanceResource))
  }

  /**
   * Adds an instance. An instance added by anybody but a super admin needs approval. Until then its
   * URLs are used neither at the identity provider nor for CORS.
   */
  async store(ctx: HttpContext) {
    const fields = await createInstanceValidator.validate(ctx.request.body())
    const instance = await createInstance(textParam(ctx, 'appCode'), fields, ctx.panelAccess)
    return ctx.response.created(successEnvelope(instanceResource(instance)))
  }

  /**
   * Changes an instance; only the fields that are sent. If anybody but a super admin changes its
   * URLs, the instance needs approval again.
   */
  async update(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const fields = await updateInstanceValidator.validate(ctx.request.body())
    const instance = await updateInstance(textParam(ctx, 'appCode'), id, fields, ctx.panelAccess)
    return successEnvelope(instanceResource(instance))
  }

  /**
   * Approves the URLs of an instance. Send the URLs you reviewed in the body: if the instance has
   * different ones by now, nothing is approved.
   */
  async approve(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const seen = await approveInstanceValidator.validate(ctx.request.body())
    const instance = await approveInstance(textParam(ctx, 'appCode'), id, seen)
    return successEnvelope(instanceResource(instance))
  }

  /** Removes an instance. */
  async destroy(ctx: HttpContext) {
    await deleteInstance(textParam(ctx, 'appCode'), idParam(ctx, 'id'))
    return ctx.response.noContent()
  }
}
