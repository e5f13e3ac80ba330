import { mapUniqueViolation } from '#core/database/map_unique_violation'
import Application from '#app/applications/models/application'
import { GENERIC_TYPE } from '#app/notifications/actions/ensure_generic_type'
import { NotificationTypeExists, TypeProtected } from '#app/notifications/exceptions'
import NotificationType from '#app/notifications/models/notification_type'

export interface TypeSwitches {
  emailEnabled?: boolean
  pushEnabled?: boolean
  userCanDisable?: boolean
  defaultEmail?: boolean
  defaultPush?: boolean
  selfServiceEnabled?: boolean
}

export interface TypeChanges extends TypeSwitches {
  name?: string
  description?: string | null
  emailFromName?: string | null
}

export interface NewType extends TypeChanges {
  code: string
  name: string
}

const SWITCHES = [
  'emailEnabled',
  'pushEnabled',
  'userCanDisable',
  'defaultEmail',
  'defaultPush',
  'selfServiceEnabled',
] as const satisfies (keyof TypeSwitches)[]

/** @throws ApplicationNotFound, NotificationTypeExists */
export async function createType(appCode: string, fields: NewType): Promise<NotificationType> {
  const application = await Application.withCode(appCode)
  const type = await mapUniqueViolation(NotificationTypeExists, () =>
    NotificationType.create({ description: null, ...fields, applicationId: application.id })
  )
  return type.refresh()
}

/** @throws ApplicationNotFound, NotificationTypeNotFound, TypeProtected */
export async function updateType(appCode: string, code: string, changes: TypeChanges) {
  const type = await NotificationType.of(appCode, code)
  const changesSwitch = SWITCHES.some(
    (name) => changes[name] !== undefined && changes[name] !== type[name]
  )
  if (type.system && changesSwitch) throw new TypeProtected()
  return type.merge(changes).save()
}

/** @throws ApplicationNotFound, NotificationTypeNotFound, TypeProtected */
export async function deleteType(appCode: string, code: string) {
  const type = await NotificationType.of(appCode, code)
  if (type.system || type.code === GENERIC_TYPE) throw new TypeProtected()
  await type.delete()
}
