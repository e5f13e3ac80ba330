import type { HttpContext } from '@adonisjs/core/http'
import { idParam, textParam } from '#core/http/path_params'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'

export interface NamedType {
  appCode: string
  system: boolean
}

/** Finds the type that the path names by its code or by one of its templates. */
export function typeInPath(ctx: HttpContext): Promise<NamedType | null> {
  if (ctx.params.id !== undefined) return findTypeOfTemplate(idParam(ctx, 'id'))
  return findTypeByCode(textParam(ctx, 'appCode'), textParam(ctx, 'type'))
}

export async function findTypeOfTemplate(id: number): Promise<NamedType | null> {
  const template = await NotificationTemplate.query()
    .where('id', id)
    .preload('notificationType', (type) => type.preload('application'))
    .first()
  if (!template) return null
  const { application, system } = template.notificationType
  return { appCode: application.code, system }
}

async function findTypeByCode(appCode: string, code: string): Promise<NamedType | null> {
  const type = await NotificationType.query()
    .where('code', code)
    .whereHas('application', (application) => application.where('code', appCode))
    .first()
  return type && { appCode, system: type.system }
}
