import db from '@adonisjs/lucid/services/db'
import { hasCurrentKey } from '#core/values/vapid_key'
import Brand from '#app/platform/models/brand'
import { UserNotFound } from '#app/profiles/exceptions'
import User from '#app/profiles/models/user'
import { holdersWithoutRecord } from '#app/profiles/queries/holders'
import type { FoundUser } from '#app/profiles/queries/search_users'
import { readUserRights } from '#app/profiles/queries/read_user_rights'
import { findApplicationsWithVisibleLogins } from '#app/profiles/actions/find_applications_with_visible_logins'
import {
  userWithoutRecord,
  visiblePreferences,
  userResource,
} from '#app/profiles/transformers/user_resource'
import { preferenceResource } from '#app/profiles/transformers/preference_resource'
import type { PanelViewer } from '#app/profiles/values/panel_viewer'

/** Describes users, limited to what the viewer can see, in the given order. */
export async function describeUsers(found: Omit<FoundUser, 'position'>[], viewer: PanelViewer) {
  const users = await loadUsers(found.flatMap(({ id }) => id ?? []))
  const { slug } = await Brand.default()
  return found.flatMap(({ id, email }) => {
    if (id === null) return userWithoutRecord(email)
    // Absent if it has been erased in the meantime.
    const user = users.get(id)
    return user ? userResource(user, viewer, slug) : []
  })
}

/** Describes a record after a change. */
export async function describeUser(user: User, viewer: PanelViewer) {
  const loaded = (await loadUsers([user.id])).get(user.id)
  if (!loaded) throw new UserNotFound()
  return userResource(loaded, viewer, (await Brand.default()).slug)
}

/**
 * Describes one user with their assignments, preferences and number of push subscriptions.
 * @throws UserNotFound if they have no record and hold nothing that the viewer can see
 */
export async function describeUserInDetail(email: string, viewer: PanelViewer) {
  const known = await User.findBy({ email })
  const visible = await findApplicationsWithVisibleLogins(viewer)
  if (!known && !(await isHolder(email, visible))) throw new UserNotFound()
  const user = known && (await loadUsers([known.id])).get(known.id)
  const rights = await readUserRights(email, visible)
  if (!user) {
    return { ...userWithoutRecord(email), ...rights, preferences: [], pushSubscriptions: 0 }
  }
  const subscriptions = await db
    .from('push_subscriptions')
    .join('users', 'users.id', 'user_id')
    .where('user_id', user.id)
    .whereRaw('push_subscriptions.idp_user_id is not distinct from users.idp_user_id')
    .select('vapid_public_key as vapidPublicKey')
  return {
    ...userResource(user, viewer, (await Brand.default()).slug),
    ...rights,
    preferences: visiblePreferences(user, viewer).map((preference) =>
      preferenceResource(preference.application.code, preference)
    ),
    pushSubscriptions: subscriptions.filter(hasCurrentKey).length,
  }
}

async function loadUsers(ids: number[]): Promise<Map<number, User>> {
  if (ids.length === 0) return new Map()
  const users = await User.query()
    .whereIn('id', ids)
    .preload('brand')
    .preload('preferences', (own) => own.preload('application').orderBy('id'))
  return new Map(users.map((user) => [user.id, user]))
}

async function isHolder(email: string, visible: number[] | undefined): Promise<boolean> {
  const rows = await holdersWithoutRecord({
    applicationIds: visible,
    superAdmins: visible === undefined,
    narrow: (query) => void query.where('h.email', email),
  })
  return rows.length > 0
}
