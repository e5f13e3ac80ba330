import { HttpContext } from '@adonisjs/core/http'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import db from '@adonisjs/lucid/services/db'
import { repeatGuards } from '#core/http/repeat_guards'
import type { AccessScope } from '#core/events/access_changed'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** Of all changes that the guards knew when they let the caller in. */
    guardedRevision?: number
  }
}

/** More changes than this are not looked at one by one. */
const MOST = 100

/** What the guards decided about the caller may no longer be so, and must be decided again. */
export class CallerAccessChanged extends Error {}

/** Call it before the guards read what the caller may do. */
export async function noteGuardedRevision(ctx: HttpContext) {
  const { revision } = await db.from('change_revisions').select('revision').firstOrFail()
  ctx.guardedRevision = Number(revision)
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

async function hasAccessChanged(
  { caller, guardedRevision }: HttpContext,
  client: QueryClientContract
): Promise<boolean> {
  if (guardedRevision === undefined) return false
  const changes: { scopes: string }[] = await client
    .from('access_changes')
    .where('id', '>', guardedRevision)
    .select('scopes')
    .limit(MOST)
  const concerns = ({ email }: AccessScope) => email === undefined || email === caller.email
  return (
    changes.length === MOST ||
    changes.some(({ scopes }) => (JSON.parse(scopes) as AccessScope[]).some(concerns))
  )
}
