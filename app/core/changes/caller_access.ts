import { HttpContext } from '@adonisjs/core/http'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import db from '@adonisjs/lucid/services/db'
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
  if (ctx?.guardedRevision === undefined) return
  const { email } = ctx.caller
  const changes: { scopes: string }[] = await trx
    .from('access_changes')
    .where('id', '>', ctx.guardedRevision)
    .select('scopes')
    .limit(MOST)
  const concerns = (scope: AccessScope) => scope.email === undefined || scope.email === email
  const hasChanged =
    changes.length === MOST ||
    changes.some(({ scopes }) => (JSON.parse(scopes) as AccessScope[]).some(concerns))
  if (hasChanged) throw new CallerAccessChanged()
}
