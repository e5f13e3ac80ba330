import type { HttpContext } from '@adonisjs/core/http'
import { idParam, textParam } from '#core/http/path_params'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'

/** A type, and the code of the application it belongs to. */
export interface NamedType {
  appCode: string
  system: boolean
}

/** The type that a path names, by its code or by one of its templates; null if there is none. */
export function typeInPath(ctx: HttpContext): Promise<NamedType | null> {
  if (ctx.params.id !== undefined) return typeOfTemplate(idParam(ctx, 'id'))
  return typeWithCode(textParam(ctx, 'appCode'), textParam(ctx, 'type'))
}

/** Null when there is no such template. */
export async function typeOfTemplate(id: number): Promise<NamedType | null> {
  const template = await NotificationTemplate.query()
    .where('id', id)
    .preload('notificationType', (type) => type.preload('application'))
    .first()
  if (!template) return null
  const { application, system } = template.notificationType
  return { appCode: application.code, system }
}

/** Null when the application has no such type, or there is no such application. */
async function typeWithCode(appCode: string, code: string): Promise<NamedType | null> {
  const type = await NotificationType.query()
    .where('code', code)
    .whereHas('application', (application) => application.where('code', appCode))
    .first()
  return type && { appCode, system: type.system }
}
