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

/** More changes than this are not looked at one by one. */
const MOST = 100

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
  const hasChanged = (client: QueryClientContract) =>
    isConcerned({ email, application, since: Number(revision) }, client)
  ctx.guarded = { hasChanged }
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
  /** The revision of the last change that the guards knew. */
  since: number
}

/** Whether one of the changes since then may be about the caller. */
async function isConcerned(
  { email, application, since }: Caller,
  client: QueryClientContract
): Promise<boolean> {
  const changes: { scopes: string }[] = await client
    .from('access_changes')
    .where('id', '>', since)
    .select('scopes')
    .limit(MOST)
  const isAbout = (scope: AccessScope) =>
    scope.email === undefined
      ? (scope.application ?? application) === application
      : scope.email === email
  return (
    changes.length === MOST ||
    changes.some(({ scopes }) => (JSON.parse(scopes) as AccessScope[]).some(isAbout))
  )
}
