import type { Client } from 'openapi-fetch'
import type { paths } from '../api.ts'
import { unwrap } from '../unwrap.ts'
import { type CheckQuestion, emailOf, groupKey, type OwnCheckQuestion } from './question.ts'

const MAX_PERMISSIONS = 500

type Question = CheckQuestion | OwnCheckQuestion

interface Group {
  question: Question
  /** Callers by permission. */
  callers: Map<string, Caller[]>
}

interface Caller {
  resolve: (allowed: boolean) => void
  reject: (reason: unknown) => void
}

/** Combines the checks of one tick into one request per user, application, level and resource. */
export class CheckBatch {
  readonly #api: Client<paths>
  #groups = new Map<string, Group>()

  constructor(api: Client<paths>) {
    this.#api = api
  }

  ask(question: Question): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.#groups.size === 0) queueMicrotask(() => this.#send())
      const { callers } = this.#groupFor(question)
      const others = callers.get(question.permission) ?? []
      callers.set(question.permission, [...others, { resolve, reject }])
    })
  }

  #groupFor(question: Question): Group {
    const key = groupKey(question)
    const group = this.#groups.get(key) ?? { question, callers: new Map() }
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

  async #settle({ question, callers }: Group, permissions: string[]) {
    const waiting = permissions.flatMap((permission) =>
      callers.get(permission)!.map((settlers) => ({ permission, ...settlers }))
    )
    try {
      const results = await this.#fetchResults(question, permissions)
      for (const { permission, resolve, reject } of waiting) {
        const allowed = results.get(permission)
        if (typeof allowed === 'boolean') resolve(allowed)
        else reject(new Error(`The response has no valid result for ${permission}`))
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }

  async #fetchResults(question: Question, permissions: string[]): Promise<Map<string, boolean>> {
    const { app, level, resource } = question
    const body = { app, level, resourceType: resource?.type, resourceId: resource?.id }
    const email = emailOf(question)
    if (email === undefined) {
      const result = this.#api.POST('/api/profile/me/check/bulk', {
        body: { ...body, permissions },
      })
      return new Map(Object.entries(await unwrap(result)))
    }
    const result = this.#api.POST('/api/check/bulk', { body: { ...body, email, permissions } })
    return new Map(Object.entries((await unwrap(result)).data))
  }
}
