import { setTimeout as pause } from 'node:timers/promises'
import { DateTime } from 'luxon'
import logger from '@adonisjs/core/services/logger'
import { wakeBackgroundWork } from '#core/background/background_worker'
import type { WorkSource } from '#core/background/work_source'
import { usesPostgres } from '#core/database/dialect'
import { describeError } from '#core/exceptions/describe_error'
import { Deadline } from '#core/values/deadline'
import { inParallel } from '#core/values/in_parallel'
import { FairClaims } from '#app/delivery/background/fair_claims'
import { claimDigests, dueDigests } from '#app/delivery/digests/claim_digests'
import {
  type OpenedDigest,
  openDigests,
  prepareDigest,
} from '#app/delivery/digests/prepare_digests'
import type Digest from '#app/delivery/models/digest'
import { readDigestItems } from '#app/delivery/digests/read_digest_items'
import { storeDigest } from '#app/delivery/digests/store_digest'
import { BATCH_LIMITS, MAX_BATCH_SIZE, messageBudget } from '#app/delivery/message_budget'

const MAX_WAIT_MS = 1_000
/** A digest that takes longer is followed by a pause on SQLite, which has one writer. */
const LONG_MS = 100
const MAX_PAUSE_MS = 1_000

/** Renders digests that fall due; `PendingSendSource` then sends them within the usual limits. */
export class DigestSource implements WorkSource {
  readonly name = 'digests'
  readonly #applications = new FairClaims((claimed: Digest[]) =>
    claimed.map(({ applicationId }) => applicationId)
  )

  async work(): Promise<boolean> {
    const reservation = await messageBudget.reserve(
      'digests',
      MAX_BATCH_SIZE,
      new Deadline(MAX_WAIT_MS)
    )
    if (reservation === null) return false
    try {
      const claimed = await this.#applications.next(claimDigests)
      if (claimed.length === 0) return false
      // Few at a time: each is a message in memory.
      const parallel = usesPostgres() ? BATCH_LIMITS.parallel : 1
      await inParallel(await openDigests(claimed), parallel, finish)
      wakeBackgroundWork()
      return true
    } finally {
      reservation.release()
    }
  }

  async backlog() {
    const [row] = await dueDigests().count('* as rows')
    return Number(row.$extras.rows)
  }
}

/** All its messages were cancelled. */
const NOTHING = { refused: { status: 'skipped', statusReason: 'CANCELLED' } } as const

/** If it fails, it is claimed again when the claim ends. */
async function finish(opened: OpenedDigest) {
  const startedAt = performance.now()
  try {
    if (!(await prepareAndStore(opened))) await prepareAndStore(opened)
  } catch (error) {
    logger.error({ error: describeError(error) }, 'A digest could not be stored')
  }
  const tookMs = performance.now() - startedAt
  if (!usesPostgres() && tookMs > LONG_MS) await pause(Math.min(tookMs, MAX_PAUSE_MS))
}

async function prepareAndStore(opened: OpenedDigest): Promise<boolean> {
  const items = await readDigestItems(opened.digest.id)
  const prepared = items.ids.length === 0 ? NOTHING : await prepareDigest(opened, items)
  const digest = 'details' in opened ? opened.details.digest : null
  return storeDigest(opened.digest, items, prepared, { nextAt: digest?.dueAt ?? DateTime.utc() })
}
