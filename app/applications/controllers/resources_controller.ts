import type { HttpContext } from '@adonisjs/core/http'
import { inChangeBudgetIfLarge } from '#core/database/large_changes'
import { changerOf } from '#core/http/caller_name'
import { countIfRequested } from '#core/http/lists'
import { pageOf, pagedBySize } from '#core/http/paging'
import { idParam, textParam } from '#core/http/path_params'
import { readFresh } from '#core/http/read_fresh'
import { inSearchTurn } from '#core/http/search_turn'
import { successEnvelope } from '#core/values/envelopes'
import { deleteResources } from '#app/applications/actions/delete_resources'
import { type EntityKey, findEntity } from '#app/applications/actions/find_entity'
import { saveResources } from '#app/applications/actions/save_resources'
import { findResources, listResources } from '#app/applications/queries/resource_list'
import { cataloguedResource } from '#app/applications/transformers/catalogued_resource'
import {
  deleteResourcesValidator,
  listResourcesValidator,
  saveResourcesValidator,
} from '#app/applications/validators/resource_validator'

/** See applications.md#resource-catalog. */
export default class ResourcesController {
  /** List the catalogued resources of an entity. `search` finds parts of ids and labels. */
  async index(ctx: HttpContext) {
    return this.#list(ctx, idParam(ctx, 'id'))
  }

  /**
   * Add resources of an entity to the catalog, or update them. Resources that are not in the
   * request stay as they are.
   */
  async update(ctx: HttpContext) {
    return this.#save(ctx, idParam(ctx, 'id'))
  }

  /** Delete resources of an entity from the catalog. Unknown ids are ignored. */
  async destroy(ctx: HttpContext) {
    return this.#delete(ctx, idParam(ctx, 'id'))
  }

  /** List the catalogued resources of an entity. `search` finds parts of ids and labels. */
  async indexInternal(ctx: HttpContext) {
    return this.#list(ctx, textParam(ctx, 'code'))
  }

  /**
   * Add resources of an entity to the catalog, or update them. Resources that are not in the
   * request stay as they are.
   */
  async updateInternal(ctx: HttpContext) {
    return this.#save(ctx, textParam(ctx, 'code'))
  }

  /** Delete resources of an entity from the catalog. Unknown ids are ignored. */
  async destroyInternal(ctx: HttpContext) {
    return this.#delete(ctx, textParam(ctx, 'code'))
  }

  async #list(ctx: HttpContext, key: EntityKey) {
    const { search, ...request } = await listResourcesValidator.validate(ctx.request.qs())
    const page = pageOf(request)
    const entity = await findEntity(textParam(ctx, 'appCode'), key)
    const read = () => readFresh(ctx, (client) => listResources(entity, search, page, client))
    const resources = await (search ? inSearchTurn(ctx, read) : read())
    await countIfRequested(ctx, page, (whole, client) =>
      findResources(entity, search, whole, client)
    )
    return successEnvelope(pagedBySize(ctx, resources).map(cataloguedResource))
  }

  async #save(ctx: HttpContext, key: EntityKey) {
    const { resources } = await saveResourcesValidator.validate(ctx.request.body())
    const save = () => saveResources(textParam(ctx, 'appCode'), key, resources)
    return successEnvelope(await inChangeBudgetIfLarge(changerOf(ctx), resources.length, save))
  }

  async #delete(ctx: HttpContext, key: EntityKey) {
    const { resourceIds } = await deleteResourcesValidator.validate(ctx.request.body())
    const remove = () => deleteResources(textParam(ctx, 'appCode'), key, resourceIds)
    return successEnvelope(await inChangeBudgetIfLarge(changerOf(ctx), resourceIds.length, remove))
  }
}
