import type { Page } from '#core/http/paging'
import User from '#app/profiles/models/user'

export interface UserFilter {
  /** Part of the address or of a name, in any case. */
  search?: string
  /** Only people with a preference or a role in this application. */
  appCode?: string
  active?: boolean
}

/** Returns one row more than the page holds. */
export function searchUsers({ search, appCode, active }: UserFilter, page: Page) {
  return User.query()
    .if(page.after, (query) => query.where('id', '>', page.after!))
    .if(active !== undefined, (query) => query.where('active', active!))
    .if(search, (query) => query.where((user) => void filterByText(user, search!)))
    .if(appCode, (query) => query.where((user) => void filterByApplication(user, appCode!)))
    .preload('preferences', (preferences) => preferences.preload('application').orderBy('id'))
    .orderBy('id')
    .limit(page.limit + 1)
}

type UserQuery = ReturnType<typeof User.query>

function filterByText(user: UserQuery, search: string) {
  for (const spelling of caseVariants(search)) {
    const pattern = `%${spelling.replace(/[\\%_]/g, '\\$&')}%`
    for (const column of ['email', 'first_name', 'last_name', 'display_name']) {
      user.orWhereRaw(`lower(${column}) like ? escape '\\'`, [pattern])
    }
  }
}

/** The database lowers only ASCII letters, so this searches for the usual cases of others. */
function caseVariants(search: string): Set<string> {
  const lower = search.toLowerCase()
  const capitalised = lower.replace(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase())
  const variants = [search, lower, capitalised, search.toUpperCase()]
  return new Set(variants.map((text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())))
}

function filterByApplication(user: UserQuery, appCode: string) {
  user
    .whereIn('id', (preferences) =>
      preferences
        .from('application_preferences')
        .join('applications', 'applications.id', 'application_preferences.application_id')
        .where('applications.code', appCode)
        .select('application_preferences.user_id')
    )
    .orWhereIn('email', (assigned) =>
      assigned
        .from('user_roles')
        .join('roles', 'roles.id', 'user_roles.role_id')
        .join('applications', 'applications.id', 'roles.application_id')
        .where('applications.code', appCode)
        .select('user_roles.email')
    )
}
