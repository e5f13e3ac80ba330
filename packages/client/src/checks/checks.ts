import type { Client } from 'openapi-fetch'
import type { paths } from '../api.ts'
import type { NearCache } from '../near_cache/near_cache.ts'
import { CheckBatch } from './batch.ts'
import type { CheckCache } from './cache.ts'
import {
  type CheckOptions,
  type CheckQuestion,
  type OwnCheckQuestion,
  requireComplete,
  requiredRevision,
} from './question.ts'

export interface Checks {
  /**
   * Whether a user has a permission: the user with `email`, for servers on the private network,
   * or else the owner of the token. Concurrent questions about one user, application and resource
   * share a request.
   *
   * @throws ConciergeProblem, ConciergeUnreachable, or TypeError for an incomplete question
   */
  may(question: CheckQuestion | OwnCheckQuestion, options?: CheckOptions): Promise<boolean>
}

interface Memory {
  /** The caller, whom questions without an address are about. */
  identity: string
  cache: CheckCache
  nearCache: NearCache | null
}

export function checksWith(api: Client<paths>, { identity, cache, nearCache }: Memory): Checks {
  const batch = new CheckBatch(api, nearCache)
  const answer = (question: CheckQuestion | OwnCheckQuestion, atLeast: number) => {
    // A token can expire or be revoked.
    if (nearCache !== null && 'email' in question) {
      return nearCache.find(question, atLeast) ?? batch.ask(question, atLeast)
    }
    const ask = () => batch.ask(question, atLeast)
    return cache.answer(identity, question, { ask, renew: atLeast > 0 })
  }
  return {
    // Without `async`: what is remembered is a promise that is already resolved.
    may(question, options) {
      try {
        requireComplete(question)
        return answer(question, requiredRevision(options))
      } catch (error) {
        return Promise.reject(error as Error)
      }
    },
  }
}
