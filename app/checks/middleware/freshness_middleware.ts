import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { requiredRevision, setRevisionHeader } from '#core/changes/revision_headers'
import { RevisionUnknown } from '#app/checks/exceptions'
import { followedChanges } from '#app/checks/invalidation/followed_changes'

/**
 * Makes decisions and lists as fresh as the caller requires, and says how fresh they are. Last of
 * the guards, which are as fresh as the primary.
 */
export default class FreshnessMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    const given = requiredRevision(ctx)
    if (given !== undefined) ctx.atLeast = given
    const required = given ?? 0
    // Nearly every check takes this path, so it creates no promise.
    if (followedChanges.reflects(required) && !followedChanges.mayHaveMissed) {
      return this.#proceed(ctx, next)
    }
    return this.#catchUp(ctx, next, required)
  }

  async #catchUp(ctx: HttpContext, next: NextFn, revision: number) {
    if (await followedChanges.reach(revision)) return this.#proceed(ctx, next)
    throw new RevisionUnknown(followedChanges.revision)
  }

  #proceed(ctx: HttpContext, next: NextFn) {
    setRevisionHeader(ctx, followedChanges.revision)
    return next()
  }
}
