import { requireRoom } from '#core/database/require_room'
import { transaction } from '#core/database/transaction'
import { unlessTaken } from '#core/database/unique'
import Application from '#app/applications/models/application'
import { GENERIC_TYPE } from '#app/notifications/actions/ensure_generic_type'
import {
  NotificationTypeExists,
  TooManyNotificationTypes,
  TypeProtected,
} from '#app/notifications/exceptions'
import NotificationType from '#app/notifications/models/notification_type'

/** People read all types of an application at once. */
export const MAX_TYPES = 500

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

/** @throws ApplicationNotFound, NotificationTypeExists, TooManyNotificationTypes */
export async function createType(appCode: string, fields: NewType): Promise<NotificationType> {
  return unlessTaken(NotificationTypeExists, () =>
    transaction(async (trx) => {
      const { id: applicationId } = await Application.lockWithCode(appCode, trx)
      const existing = NotificationType.query({ client: trx }).where({ applicationId })
      await requireRoom(existing, MAX_TYPES, TooManyNotificationTypes)
      const type = { description: null, ...fields, applicationId }
      return (await NotificationType.create(type, { client: trx })).refresh()
    })
  )
}

/**
 * Changes the fields that are given; the code stays. The switches of a system type stay too: its messages, such as a
 * password reset, do not depend on anybody's choice.
 *
 * @throws ApplicationNotFound, NotificationTypeNotFound, TypeProtected
 */
export async function updateType(appCode: string, code: string, changes: TypeChanges) {
  const type = await NotificationType.of(appCode, code)
  const turned = SWITCHES.some(
    (name) => changes[name] !== undefined && changes[name] !== type[name]
  )
  if (type.system && turned) throw new TypeProtected()
  return type.merge(changes).save()
}

/**
 * Deletes a type with its templates and people's preferences.
 *
 * @throws ApplicationNotFound, NotificationTypeNotFound, TypeProtected
 */
export async function deleteType(appCode: string, code: string) {
  const type = await NotificationType.of(appCode, code)
  if (type.system || type.code === GENERIC_TYPE) throw new TypeProtected()
  await type.delete()
}
