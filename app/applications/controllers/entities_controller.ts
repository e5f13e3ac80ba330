import type { HttpContext } from '@adonisjs/core/http'
import { idParam, textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { listEntityItems } from '#app/applications/actions/list_entity_items'
import {
  createEntity,
  deleteEntity,
  findEntity,
  updateEntity,
} from '#app/applications/actions/save_entity'
import Application from '#app/applications/models/application'
import { entityResource } from '#app/applications/transformers/entity'
import {
  createEntityValidator,
  updateEntityValidator,
} from '#app/applications/validators/entity_validator'

/** The entity catalog of an application (applications.md#entity-catalog). */
export default class EntitiesController {
  /** Lists the entity catalog of an application. */
  async index(ctx: HttpContext) {
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    await application.load('entities', (entities) => entities.orderBy('id'))
    return successEnvelope(application.entities.map(entityResource))
  }

  /** Reads an entity of the catalog. */
  async show(ctx: HttpContext) {
    const entity = await findEntity(textParam(ctx, 'appCode'), idParam(ctx, 'id'))
    return successEnvelope(entityResource(entity))
  }

  /** Adds an entity to the catalog. */
  async store(ctx: HttpContext) {
    const fields = await createEntityValidator.validate(ctx.request.body())
    const entity = await createEntity(textParam(ctx, 'appCode'), fields)
    return ctx.response.created(successEnvelope(entityResource(entity)))
  }

  /** Changes an entity; its code only while no assignment uses it. */
  async update(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const fields = await updateEntityValidator.validate(ctx.request.body())
    const entity = await updateEntity(textParam(ctx, 'appCode'), id, fields)
    return successEnvelope(entityResource(entity))
  }

  /** Removes an entity that no assignment uses. */
  async destroy(ctx: HttpContext) {
    await deleteEntity(textParam(ctx, 'appCode'), idParam(ctx, 'id'))
    return ctx.response.noContent()
  }

  /**
   * Lists what exists of an entity, as its application tells. The caller's token travels to the
   * `listEndpoint`.
   */
  async items(ctx: HttpContext) {
    const authorization = `Bearer ${ctx.caller.token}`
    const code = textParam(ctx, 'entityCode')
    return successEnvelope(await listEntityItems(textParam(ctx, 'appCode'), code, authorization))
  }
}
