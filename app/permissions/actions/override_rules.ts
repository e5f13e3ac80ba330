import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { ApplicationNotFound } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import Entity from '#app/applications/models/entity'
import { APPLICATION_ENTITY, PANEL_APPLICATION } from '#app/applications/values/panel'
import {
  InvalidAccessLevel,
  PermissionIsGlobal,
  UnknownResourceType,
} from '#app/permissions/exceptions'
import type { ReferencedPermission } from '#app/permissions/queries/referenced_rows'
import { fitsOverride } from '#app/permissions/values/access_level'
import type { OverrideItem, OverrideTarget } from '#app/permissions/values/overrides'
import { requireValidWindow, toWindow } from '#app/permissions/values/time_window'

/** Blocks concurrent changes and deletions of the entities, but not other assignments. */
export const lockEntities = (application: Application, trx: TransactionClientContract) =>
  Entity.query({ client: trx })
    .where('applicationId', application.id)
    .orderBy('id')
    .forShare()
    .select('code')
    .pojo<Pick<Entity, 'code'>>()

/** @throws UnknownResourceType if the application has entities, but none with this code */
export function requireKnownResourceType(entities: Pick<Entity, 'code'>[], resourceType: string) {
  if (entities.length === 0 || entities.some(({ code }) => code === resourceType)) return
  throw new UnknownResourceType({ details: { available: entities.map(({ code }) => code) } })
}

/**
 * A panel level would apply to whatever is created under the code later. Blocks the deletion of the
 * application, which removes the levels on it.
 *
 * @throws ApplicationNotFound
 */
export async function requireManagedApplication(
  { appCode, resourceType, resourceId }: Omit<OverrideTarget, 'email'>,
  client: TransactionClientContract
) {
  if (appCode !== PANEL_APPLICATION || resourceType !== APPLICATION_ENTITY) return
  const managed = await Application.query({ client }).where('code', resourceId).forShare().first()
  if (managed) return
  const detail = 'There is no application whose code is the resourceId'
  throw new ApplicationNotFound({ detail, details: { resourceType, resourceId } })
}

/** @throws PermissionIsGlobal, InvalidAccessLevel, InvalidWindow */
export function requireValidItems(
  items: OverrideItem[],
  permissions: ReadonlyMap<number, ReferencedPermission>
) {
  for (const [index, item] of items.entries()) {
    requireValidOverride(permissions.get(item.permissionId)!, item)
    requireValidWindow(toWindow(item), `permissions.${index}`)
  }
}

function requireValidOverride(permission: ReferencedPermission, { accessLevel }: OverrideItem) {
  if (permission.global) throw new PermissionIsGlobal({ details: { permission: permission.code } })
  if (fitsOverride(permission.type, accessLevel ?? null)) return
  throw new InvalidAccessLevel({
    details: { permission: permission.code, type: permission.type, accessLevel },
  })
}
