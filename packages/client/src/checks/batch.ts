import type { Client } from 'openapi-fetch'
import type { paths } from '../api.ts'
import type { NearCache } from '../near_cache/near_cache.ts'
import { unwrap } from '../unwrap.ts'
import { type CheckQuestion, emailOf, groupKey, type OwnCheckQuestion } from './question.ts'

const MAX_PERMISSIONS = 500

type Question = CheckQuestion | OwnCheckQuestion

interface Group {
  question: Question
  atLeast: number
  /** Callers by permission. */
  callers: Map<string, Caller[]>
}

interface Caller {
  resolve: (allowed: boolean) => void
  reject: (reason: unknown) => void
}

/**
 * Combines the checks of one tick into one request per user, application, level, resource and
 * required revision: a revision that the service refuses fails no other checks.
 */
export class CheckBatch {
  readonly #api: Client<paths>
  readonly #nearCache: NearCache | null
  #groups = new Map<string, Group>()

  constructor(api: Client<paths>, nearCache: NearCache | null) {
    this.#api = api
    this.#nearCache = nearCache
  }

  /** @param atLeast a revision that the answer must reflect; 0 for none */
  ask(question: Question, atLeast: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.#groups.size === 0) queueMicrotask(() => this.#send())
      const { callers } = this.#groupFor(question, atLeast)
      const others = callers.get(question.permission) ?? []
      callers.set(question.permission, [...others, { resolve, reject }])
    })
  }

  #groupFor(question: Question, atLeast: number): Group {
    const key = `${atLeast} ${groupKey(question)}`
    const group = this.#groups.get(key) ?? { question, atLeast, callers: new Map() }
    this.#groups.set(key, group)
    return group
  }

  #send() {
    const groups = [...this.#groups.values()]
    this.#groups = new Map()
    for (const group of groups) {
      const permissions = [...group.callers.keys()]
      for (let first = 0; first < permissions.length; first += MAX_PERMISSIONS) {
        void this.#settle(group, permissions.slice(first, first + MAX_PERMISSIONS))
      }
    }
  }

  async #settle({ question, atLeast, callers }: Group, permissions: string[]) {
    const waiting = permissions.flatMap((permission) =>
      callers.get(permission)!.map((settlers) => ({ permission, ...settlers }))
    )
    try {
      const results = await this.#fetchResults(question, permissions, atLeast)
      for (const { permission, resolve, reject } of waiting) {
        const allowed = results.get(permission)
        if (typeof allowed === 'boolean') resolve(allowed)
        else reject(new Error(`The response has no valid result for ${permission}`))
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }

  async #fetchResults(
    question: Question,
    permissions: string[],
    atLeast: number
  ): Promise<Map<string, unknown>> {
    const { app, level, resource } = question
    const about = { app, level, resourceType: resource?.type, resourceId: resource?.id }
    const params = atLeast > 0 ? { header: { 'concierge-at-least': atLeast } } : {}
    const email = emailOf(question)
    if (email === undefined) {
      const body = { ...about, permissions }
      const result = this.#api.POST('/api/profile/me/check/bulk', { body, params })
      return new Map(Object.entries(await unwrap(result)))
    }
    const asked = this.#nearCache?.ask({ ...question, email })
    const body = { ...about, email, permissions }
    const result = await this.#api.POST('/api/check/bulk', { body, params })
    const results = new Map(Object.entries((await unwrap(result)).data))
    if (asked) this.#nearCache!.remember(asked, permissions, results, result.response)
    return results
  }
}
