import { type PlainRow, columnsOf, toPlainRow } from '#core/database/plain_rows'
import { PreparedQuery } from '#core/database/prepared_query'
import Brand from '#app/platform/models/brand'
import User from '#app/profiles/models/user'

const SHOWN = [
  ...(['id', 'email', 'firstName', 'lastName', 'displayName', 'avatarUrl', 'locale'] as const),
  ...(['theme', 'timezone', 'createdAt', 'updatedAt'] as const),
]

const OF_ACCOUNT = ['idpUserId', 'idpOrgId'] as const

/** What a profile shows. */
export type Profile = Pick<PlainRow<User>, (typeof SHOWN)[number]> & { brandSlug: string }

export type ProfileOfAccount = Profile & Pick<PlainRow<User>, (typeof OF_ACCOUNT)[number]>

const columns = columnsOf(User, [...SHOWN, ...OF_ACCOUNT]).map((column) => `users.${column}`)

const profileByEmail = new PreparedQuery<Record<string, unknown> & { brandSlug: string }>(
  'profile_by_email',
  `select ${columns.join(', ')}, brands.slug as "brandSlug" from users
   join brands on brands.id =
     coalesce(users.brand_id, (select usual.id from brands usual where usual.is_default))
   where users.email = $1`
)

/** Reads a profile in one statement, because applications ask for it with each page. */
export async function findProfile(email: string): Promise<ProfileOfAccount | null> {
  const [row] = await profileByEmail.all([email])
  return row === undefined ? null : toPlainRow(User, row)
}

/** See profiles.md#brand-of-a-user. */
export async function profileOf(user: User): Promise<Profile> {
  const chosen = user.brandId === null ? null : await Brand.find(user.brandId)
  const { slug: brandSlug } = chosen ?? (await Brand.default())
  return { ...(user.$attributes as PlainRow<User>), brandSlug }
}
