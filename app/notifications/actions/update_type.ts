import { TypeProtected } from '#app/notifications/exceptions'
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

const SWITCHES = [
  'emailEnabled',
  'pushEnabled',
  'userCanDisable',
  'defaultEmail',
  'defaultPush',
  'selfServiceEnabled',
] as const satisfies (keyof TypeSwitches)[]

/** @throws ApplicationNotFound, NotificationTypeNotFound, TypeProtected */
export async function updateType(appCode: string, code: string, changes: TypeChanges) {
  const type = await NotificationType.of(appCode, code)
  const changesSwitch = SWITCHES.some(
    (name) => changes[name] !== undefined && changes[name] !== type[name]
  )
  if (type.system && changesSwitch) throw new TypeProtected()
  return type.merge(changes).save()
}
