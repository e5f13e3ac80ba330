import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseDatabaseTimestamp } from '#core/database/columns'
import { isoTimestamp } from '#core/values/iso_timestamp'
import type Application from '#app/applications/models/application'
import { listHolders } from '#app/audit/queries/access_holders'
import type { DecisionSource } from '#app/checks/values/decision'
import {
  RIGHT_SOURCES,
  type RightPosition,
  type RightRow,
  listRights,
} from '#app/audit/queries/access_rights'
import {
  type GIVING_ACTIONS,
  type OriginRow,
  type SoughtEntry,
  listOrigins,
} from '#app/audit/queries/right_origins'

/** Users whose rights are read at once. Some have thousands. */
const USERS = 50
/** Rights that are read at once while a whole review is sent. */
const BATCH = 500
/** How long after an assignment its entry can be written, in seconds: an import takes a while. */
const ENTRY_DELAY = 60

/** A right, and the audit entry that says who gave it; null if there is none. */
export interface ReviewedRight {
  right: RightRow
  origin: OriginRow | null
}

export interface Review {
  application: Application
  /** Whether to say who added super admins: entries about that belong to the platform. */
  seesPlatform: boolean
}

/** Up to `limit` rights of all users in an application, by user. */
export async function readReview(
  { application, seesPlatform }: Review,
  { after, limit }: { after?: RightPosition; limit: number }
): Promise<ReviewedRight[]> {
  const { id } = application
  const rights = after ? await listRights(id, [after.email], { after, limit }) : []
  let last = after?.email ?? ''
  while (rights.length < limit) {
    const emails = await listHolders(id, last, USERS)
    if (emails.length === 0) break
    rights.push(...(await listRights(id, emails, { limit: limit - rights.length })))
    last = emails.at(-1)!
    if (emails.length < USERS) break
  }
  const sought = rights.map((right, place) => soughtEntry(application, right, place))
  const origins = await listOrigins(seesPlatform ? sought : sought.filter(isOfApplication))
  const byPlace = new Map(origins.map((origin) => [origin.place, origin]))
  return rights.map((right, place) => ({ right, origin: byPlace.get(place) ?? null }))
}

/** The whole review, in batches. */
export async function* readWholeReview(review: Review): AsyncGenerator<ReviewedRight[]> {
  let after: RightPosition | undefined
  for (;;) {
    const batch = await readReview(review, { after, limit: BATCH })
    yield batch
    if (batch.length < BATCH) return
    after = batch.at(-1)!.right
    // SQLite answers synchronously, so other requests would get no turn.
    await nextTurn()
  }
}

const isOfApplication = ({ application }: SoughtEntry) => application !== 0

const ACTION: Record<DecisionSource, (typeof GIVING_ACTIONS)[number]> = {
  superadmin: 'super_admin.added',
  app_admin: 'application_admin.added',
  role: 'user.roles_replaced',
  override: 'user.overrides_replaced',
}

function soughtEntry({ id }: Application, right: RightRow, place: number): SoughtEntry {
  const source = RIGHT_SOURCES[right.source]
  const since = parseDatabaseTimestamp(right.created_at)!
  return {
    place,
    email: right.email,
    action: ACTION[source],
    application: source === 'superadmin' ? 0 : id,
    since: isoTimestamp(since),
    until: isoTimestamp(since.plus({ seconds: ENTRY_DELAY })),
  }
}
