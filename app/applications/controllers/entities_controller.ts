import type { HttpContext } from '@adonisjs/core/http'
import { inChangeBudget } from '#core/database/large_changes'
import { changerOf } from '#core/http/caller_name'
import { ifMatch, tagged } from '#core/http/etag'
import { listValidator, readList } from '#core/http/lists'
import { idParam, textParam } from '#core/http/path_params'
import { dryRunValidator } from '#core/validation/dry_run_validator'
import { successEnvelope } from '#core/values/envelopes'
import { createEntity } from '#app/applications/actions/create_entity'
import { deleteEntity } from '#app/applications/actions/delete_entity'
import { findEntity } from '#app/applications/actions/find_entity'
import { listEntityItems } from '#app/applications/actions/list_entity_items'
import { updateEntity } from '#app/applications/actions/update_entity'
import Application from '#app/applications/models/application'
import Entity from '#app/applications/models/entity'
import { entityResource } from '#app/applications/transformers/entity_resource'
import {
  createEntityValidator,
  updateEntityValidator,
} from '#app/applications/validators/entity_validator'

/** See applications.md#entity-catalog. */
export default class EntitiesController {
  /** List the entities of an application. */
  async index(ctx: HttpContext) {
    const { id: applicationId } = await Application.withCode(textParam(ctx, 'appCode'))
    const request = await listValidator.validate(ctx.request.qs())
    const entities = await readList(
      ctx,
      (client) => Entity.query({ client }).where({ applicationId }),
      request,
      ['code', 'name']
    )
    return successEnvelope(entities.map(entityResource))
  }

  /** Get an entity. */
  async show(ctx: HttpContext) {
    const entity = await findEntity(textParam(ctx, 'appCode'), idParam(ctx, 'id'))
    return successEnvelope(tagged(ctx, entityResource(entity)))
  }

  /** Create an entity. */
  async store(ctx: HttpContext) {
    const fields = await createEntityValidator.validate(ctx.request.body())
    const entity = await createEntity(textParam(ctx, 'appCode'), fields)
    return ctx.response.created(successEnvelope(tagged(ctx, entityResource(entity))))
  }

  /** Update an entity. The code can change only while no assignment uses the entity. */
  async update(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const fields = await updateEntityValidator.validate(ctx.request.body())
    const fresh = ifMatch(ctx, entityResource)
    const entity = await updateEntity(textParam(ctx, 'appCode'), id, fields, fresh)
    return successEnvelope(tagged(ctx, entityResource(entity)))
  }

  /**
   * Delete an entity. Only entities that no assignment uses can be deleted. With `dryRun=true`,
   * nothing is deleted and the response lists what would be.
   */
  async destroy(ctx: HttpContext) {
    const { dryRun } = await dryRunValidator.validate(ctx.request.qs())
    const id = idParam(ctx, 'id')
    const options = { dryRun, requireFresh: ifMatch(ctx, entityResource) }
    const preview = await inChangeBudget(changerOf(ctx), () =>
      deleteEntity(textParam(ctx, 'appCode'), id, options)
    )
    return preview ? successEnvelope(preview) : ctx.response.noContent()
  }

  /**
   * List the resources of an entity. They are read from the application's `listEndpoint`, which
   * receives the caller's token.
   */
  async items(ctx: HttpContext) {
    const authorization = `Bearer ${ctx.caller.token}`
    const code = textParam(ctx, 'entityCode')
    return successEnvelope(await listEntityItems(textParam(ctx, 'appCode'), code, authorization))
  }
}
