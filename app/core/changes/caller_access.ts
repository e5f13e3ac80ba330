import { HttpContext } from '@adonisjs/core/http'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import db from '@adonisjs/lucid/services/db'
import { repeatGuards } from '#core/http/repeat_guards'
import type { AccessScope } from '#core/events/access_changed'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** What the guards decided the caller's access by. */
    guarded?: GuardedAccess
  }
}

interface GuardedAccess {
  /** Whether the guards might decide otherwise now. */
  hasChanged: (client: QueryClientContract) => Promise<boolean>
}

/** How many changes are read at a time, and how often. Beyond that, the guards decide again. */
const PAGE = 1_000
const PAGES = 20

/** What the guards decided about the caller may no longer be so, and must be decided again. */
export class CallerAccessChanged extends Error {}

/**
 * Call it before the guards read what the caller may do.
 *
 * @param application whose roles and permissions decide
 */
export async function noteGuardedAccess(ctx: HttpContext, application: string) {
  const { email } = ctx.caller
  const { revision } = await db.from('change_revisions').select('revision').firstOrFail()
  const caller = { email, application, since: Number(revision) }
  ctx.guarded = { hasChanged: (client) => isConcerned(caller, client) }
}

/**
 * A request may wait for the locks of others after its guards have decided. Among these can be the
 * one that takes its caller's rights away, so this looks for such changes once it has the locks.
 *
 * @throws CallerAccessChanged; `transaction` repeats the guards then, and its work
 */
export async function requireSameAccess(trx: TransactionClientContract) {
  const ctx = HttpContext.get()
  if (ctx && (await hasAccessChanged(ctx, trx))) throw new CallerAccessChanged()
}

/** The same for what is done elsewhere, after waiting for it. @throws Problem of the guards */
export async function confirmAccess() {
  const ctx = HttpContext.get()
  if (ctx && (await hasAccessChanged(ctx, db.connection()))) await repeatGuards(ctx)
}

async function hasAccessChanged({ guarded }: HttpContext, client: QueryClientContract) {
  return guarded !== undefined && (await guarded.hasChanged(client))
}

interface Caller {
  email: string
  application: string
  /** The revision of the last change that the guards knew, or that was not about the caller. */
  since: number
}

/** Whether one of the changes since then may be about the caller. Moves on to the last one. */
async function isConcerned(caller: Caller, client: QueryClientContract): Promise<boolean> {
  const { email, application } = caller
  const isAbout = (scope: AccessScope) =>
    scope.email === undefined
      ? (scope.application ?? application) === application
      : scope.email === email
  for (let page = 1; page <= PAGES; page++) {
    const changes: { id: number | string; scopes: string }[] = await client
      .from('access_changes')
      .where('id', '>', caller.since)
      .orderBy('id')
      .select('id', 'scopes')
      .limit(PAGE)
    if (changes.some(({ scopes }) => (JSON.parse(scopes) as AccessScope[]).some(isAbout))) {
      return true
    }
    caller.since = Number(changes.at(-1)?.id ?? caller.since)
    if (changes.length < PAGE) return false
  }
  return true
}
