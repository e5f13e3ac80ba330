import type { HttpContext } from '@adonisjs/core/http'
import { idParam, textParam } from '#core/http/path_params'
import { success } from '#core/values/envelopes'
import {
  createInstance,
  deleteInstance,
  updateInstance,
} from '#app/applications/actions/save_instance'
import Application from '#app/applications/models/application'
import { instanceResource } from '#app/applications/transformers/instance'
import {
  createInstanceValidator,
  updateInstanceValidator,
} from '#app/applications/validators/instance_validator'

/** Deployments of an application and their callback URLs (decisions 3.8). */
export default class InstancesController {
  /** Lists the instances of an application. */
  async index(ctx: HttpContext) {
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    await application.load('instances', (instances) => instances.orderBy('id'))
    return success(application.instances.map(instanceResource))
  }

  /** Adds an instance. */
  async store(ctx: HttpContext) {
    const fields = await createInstanceValidator.validate(ctx.request.body())
    const instance = await createInstance(textParam(ctx, 'appCode'), fields)
    return ctx.response.created(success(instanceResource(instance)))
  }

  /** Changes an instance; only the fields that are sent. */
  async update(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const fields = await updateInstanceValidator.validate(ctx.request.body())
    const instance = await updateInstance(textParam(ctx, 'appCode'), id, fields)
    return success(instanceResource(instance))
  }

  /** Removes an instance. */
  async destroy(ctx: HttpContext) {
    await deleteInstance(textParam(ctx, 'appCode'), idParam(ctx, 'id'))
    return ctx.response.noContent()
  }
}
