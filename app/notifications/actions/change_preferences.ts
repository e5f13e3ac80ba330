import { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import { transaction } from '#core/database/transaction'
import { findHiddenTypes } from '#app/notifications/actions/find_hidden_types'
import { listPreferences } from '#app/notifications/actions/list_preferences'
import {
  DigestNotAllowed,
  PreferenceLocked,
  UnknownNotificationType,
} from '#app/notifications/exceptions'
import NotificationType from '#app/notifications/models/notification_type'
import { type DigestChoice, digestChoicesOf } from '#app/notifications/values/digest_frequency'
import type User from '#app/profiles/models/user'

export interface PreferenceChange {
  notificationTypeId: number
  email?: boolean
  push?: boolean
  digest?: DigestChoice
}

/**
 * Makes all changes or none; the last change of a type counts.
 * @throws UnknownNotificationType, also for hidden types; PreferenceLocked, DigestNotAllowed
 */
export async function changePreferences(user: User, changes: PreferenceChange[]) {
  const ids = [...new Set(changes.map(({ notificationTypeId }) => notificationTypeId))]
  const hidden = await findHiddenTypes(user.email, ids)
  const visible = ids.filter((id) => !hidden.has(id))
  return transaction(async (trx) => {
    const types = await NotificationType.query({ client: trx }).whereIn('id', visible).orderBy('id')
    requireChangeable(ids, types)
    // Always in the same order, so that concurrent requests of one user cannot deadlock.
    for (const type of types) {
      const given = changes.filter(({ notificationTypeId }) => notificationTypeId === type.id)
      await savePreference(user, type, Object.assign({}, ...given), trx)
    }
    return listPreferences(user, types, trx)
  })
}

function requireChangeable(ids: number[], types: NotificationType[]) {
  const locked = types.filter(({ userCanDisable }) => !userCanDisable)
  const hidden = types.filter((type) => type.userCanDisable && !type.selfServiceEnabled)
  const known = new Set(types.filter((type) => !hidden.includes(type)).map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new UnknownNotificationType({ details: { unknown } })
  if (locked.length > 0) {
    throw new PreferenceLocked({ details: { notificationTypeIds: locked.map(({ id }) => id) } })
  }
}

async function savePreference(
  user: User,
  type: NotificationType,
  { email, push, digest }: PreferenceChange,
  client: TransactionClientContract
) {
  const now = toDatabaseTimestamp(DateTime.utc())
  const changed = [
    ...(email === undefined ? [] : ['email']),
    ...(push === undefined ? [] : ['push']),
    ...(digest === undefined ? [] : ['digest']),
  ]
  if (changed.length === 0) return
  if (digest !== undefined && !digestChoicesOf(type).includes(digest)) {
    throw new DigestNotAllowed(type.id, digestChoicesOf(type))
  }
  await client
    .table('notification_preferences')
    .insert({
      user_id: user.id,
      notification_type_id: type.id,
      email: email ?? type.defaultEmail,
      push: push ?? type.defaultPush,
      digest: digest ?? null,
      created_at: now,
      updated_at: now,
    })
    .onConflict(['user_id', 'notification_type_id'])
    .merge([...changed, 'updated_at'])
}
