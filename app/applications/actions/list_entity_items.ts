import { OutboundError } from '#core/network/outbound_error'
import { UnusableResponse, outboundJson } from '#core/network/outbound_json'
import { findEntity } from '#app/applications/actions/find_entity'
import { EntityEndpointUnreachable, EntityHasNoEndpoint } from '#app/applications/exceptions'
import { requireAllowedOrigin } from '#app/applications/values/require_allowed_origin'
import { type EntityItem, parseEntityItems } from '#app/applications/values/entity_items'

export interface EntityItems {
  entityCode: string
  endpoint: string
  items: EntityItem[]
}

/**
 * Lists the resources of an entity, read from the application's `listEndpoint` and never stored
 * (applications.md#entity-items).
 *
 * @param authorization the caller's own header, sent to the `listEndpoint` only
 * @throws ApplicationNotFound, EntityNotFound, EntityHasNoEndpoint, EntityOriginNotAllowed,
 *   EntityEndpointUnreachable
 */
export async function listEntityItems(
  appCode: string,
  entityCode: string,
  authorization: string
): Promise<EntityItems> {
  const entity = await findEntity(appCode, entityCode)
  if (!entity.listEndpoint) throw new EntityHasNoEndpoint()
  requireAllowedOrigin(entity.listEndpoint)
  const items = parseEntityItems(await fetchList(entity.listEndpoint, authorization))
  if (!items) throw unreachable('no_array')
  return { entityCode, endpoint: entity.listEndpoint, items }
}

async function fetchList(endpoint: string, authorization: string) {
  try {
    return await outboundJson(endpoint, { author: 'operator', headers: { authorization } })
  } catch (error) {
    if (error instanceof OutboundError || error instanceof UnusableResponse) {
      throw unreachable(error.reason, error)
    }
    throw error
  }
}

function unreachable(reason: string, cause?: unknown) {
  return new EntityEndpointUnreachable({ details: { reason }, cause })
}
