import { type RequireFresh, unconditional } from '#core/http/etag'
import { updateOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { TypeProtected } from '#app/notifications/exceptions'
import NotificationType from '#app/notifications/models/notification_type'
import { auditedType } from '#app/notifications/transformers/audited_type'

export interface TypeSwitches {
  emailEnabled?: boolean
  pushEnabled?: boolean
  userCanDisable?: boolean
  defaultEmail?: boolean
  defaultPush?: boolean
  selfServiceEnabled?: boolean
  urgent?: boolean
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
  'urgent',
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
    const before = auditedType(type, appCode)
    await type.merge(changes).save()
    await recordChange(trx, updateOf(before, auditedType(type, appCode)))
    return type
  })
}

/** @throws TypeProtected */
function requireChangeable(type: NotificationType, changes: TypeChanges) {
  const changesSwitch = SWITCHES.some(
    (name) => changes[name] !== undefined && changes[name] !== type[name]
  )
  if (type.system && changesSwitch) throw new TypeProtected()
}
