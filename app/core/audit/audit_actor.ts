import { AsyncLocalStorage } from 'node:async_hooks'
import { HttpContext } from '@adonisjs/core/http'
import { callerName } from '#core/http/caller_name'

export const ACTOR_KINDS = ['user', 'server', 'command', 'provider', 'system'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

/** Who makes a change. A user has an address; of all others, the name says which one it is. */
export interface AuditActor {
  kind: ActorKind
  email?: string
  name?: string
}

const actors = new AsyncLocalStorage<AuditActor>()

/** Attributes the changes that `work` makes to an actor other than that of the request. */
export const actingAs = <T>(actor: AuditActor, work: () => T): T => actors.run(actor, work)

/** The service itself, unless a request or `actingAs` says otherwise. */
export function currentActor(): AuditActor {
  const actor = actors.getStore()
  if (actor) return actor
  const ctx = HttpContext.get()
  if (ctx?.caller) return { kind: 'user', email: ctx.caller.email }
  const name = ctx && callerName(ctx)
  return name ? { kind: 'server', name } : { kind: 'system' }
}
