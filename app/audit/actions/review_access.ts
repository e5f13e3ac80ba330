import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { parseDatabaseTimestamp } from '#core/database/columns'
import { isoTimestamp } from '#core/values/iso_timestamp'
import { Deadline } from '#core/values/deadline'
import type Application from '#app/applications/models/application'
import { listHolders } from '#app/audit/queries/access_holders'
import type { DecisionSource } from '#app/checks/values/decision'
import {
  RIGHT_SOURCES,
  type RightFilter,
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

/** Users whose rights are read at once, at most. Some have thousands. */
const USERS = 50
/** Users whose rights are read first, and show how many others a page needs. */
const FIRST_USERS = 5
/** Batches of users that a page searches for matches of a filter, and for how long. */
const MOST_BATCHES = 40
const LONGEST_MS = 1_000
/** Rights that are read at once while a whole review is sent. */
const BATCH = 500
/** Seconds after an assignment within which its entry is written: an import takes a while. */
const ENTRY_DELAY = 60

/** A right, and the audit entry that says who gave it; null if there is none. */
export interface ReviewedRight {
  right: RightRow
  origin: OriginRow | null
}

export interface Review {
  application: Application
  filter: RightFilter
  /** Whether to say who added super admins: entries about that belong to the platform. */
  seesPlatform: boolean
}

interface Page {
  after?: RightPosition
  limit: number
}

/** A page can have fewer rights than the limit, or none, and still be followed by another. */
export interface ReviewPage {
  rights: ReviewedRight[]
  /** Where the next page begins; null on the last one. */
  next: RightPosition | null
}

/** Up to `limit` rights in an application, by user. */
export async function readReview(
  review: Review,
  page: Page,
  client?: TransactionClientContract
): Promise<ReviewPage> {
  const { application, seesPlatform } = review
  const { rights, next } = await readRights(review, page, client)
  const sought = rights.map((right, place) => soughtEntry(application, right, place))
  const origins = await listOrigins(seesPlatform ? sought : sought.filter(isOfApplication), client)
  const byPlace = new Map(origins.map((origin) => [origin.place, origin]))
  return {
    rights: rights.map((right, place) => ({ right, origin: byPlace.get(place) ?? null })),
    next,
  }
}

async function readRights(
  { application: { id }, filter }: Review,
  { after, limit }: Page,
  client?: TransactionClientContract
) {
  const found: RightRow[] = []
  // One more than fits means that there is a next page.
  const read = async (emails: string[], position?: RightPosition) =>
    found.push(
      ...(await listRights(id, emails, filter, {
        after: position,
        limit: limit + 1 - found.length,
        client,
      }))
    )
  const first = after?.email ?? filter.email
  if (first !== undefined) await read([first], after)
  let last = first ?? ''
  let hasMore = filter.email === undefined
  let users = FIRST_USERS
  const deadline = new Deadline(LONGEST_MS)
  for (let batch = 0; hasMore && found.length <= limit && batch < MOST_BATCHES; batch++) {
    const emails = await listHolders(id, last, users, client)
    const before = found.length
    if (emails.length > 0) await read(emails)
    last = emails.at(-1) ?? last
    hasMore = emails.length === users
    users = usersWith(limit + 1 - found.length, (found.length - before) / users)
    if (deadline.hasPassed) break
    // SQLite is synchronous, so other requests would get no turn.
    await nextTurn()
  }
  if (found.length > limit) return { rights: found.slice(0, limit), next: found[limit - 1]! }
  return { rights: found, next: hasMore ? endOf(last) : null }
}

/** How many users probably have this number of rights, within bounds. */
const usersWith = (rights: number, perUser: number) =>
  Math.max(1, Math.min(USERS, Math.ceil(rights / perUser)))

/** After every right of a user. */
const endOf = (email: string): RightPosition => {
  return { email, source: RIGHT_SOURCES.length, id: 0, permission_id: 0 }
}

/** The whole review, in batches. */
export async function* readWholeReview(review: Review): AsyncGenerator<ReviewedRight[]> {
  let after: RightPosition | undefined
  for (;;) {
    const { rights, next } = await readReview(review, { after, limit: BATCH })
    yield rights
    if (next === null) return
    after = next
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
