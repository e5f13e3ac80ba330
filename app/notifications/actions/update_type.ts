import { type RequireFresh, unconditional } from '#core/http/etag'
import { transaction } from '#core/database/transaction'
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

/** @throws ApplicationNotFound, NotificationTypeNotFound, Stale, TypeProtected */
export async function updateType(
  appCode: string,
  code: string,
  changes: TypeChanges,
  requireFresh: RequireFresh<NotificationType> = unconditional
) {
  return transaction(async (trx) => {
    const type = await NotificationType.lock(appCode, code, trx)
    await requireFresh(() => type)
    requireChangeable(type, changes)
    return type.merge(changes).save()
  })
}

/** @throws TypeProtected */
function requireChangeable(type: NotificationType, changes: TypeChanges) {
  const changesSwitch = SWITCHES.some(
    (name) => changes[name] !== undefined && changes[name] !== type[name]
  )
  if (type.system && changesSwitch) throw new TypeProtected()
}
