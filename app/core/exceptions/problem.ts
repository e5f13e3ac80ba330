import { Exception } from '@adonisjs/core/exceptions'
import { usualAdvice } from '#core/exceptions/usual_advice'

export interface ProblemInit {
  /** One sentence for the developer who reads the answer; never a secret, SQL or a path. */
  detail?: string
  /** Machine-readable facts; `{}` when there is nothing to say. */
  details?: Record<string, unknown>
  headers?: Record<string, string>
  cause?: unknown
}

export interface ProblemKind {
  code: string
  status: number
  title: string
  /** What to do about it, for the page about this code. */
  advice: string
}

/**
 * A request that cannot be served, with a stable code: the only errors whose text reaches a client
 * (decisions 1.2). Sections declare theirs with `defineProblem` in their `exceptions.ts`.
 */
export class Problem extends Exception {
  readonly kind: ProblemKind
  readonly details: Record<string, unknown>
  readonly headers: Record<string, string>
  /** Whether a refused credential counts as a guess of the client. */
  readonly isGuess: boolean = true

  constructor(kind: ProblemKind, init: ProblemInit = {}) {
    super(init.detail ?? kind.title, { status: kind.status, code: kind.code, cause: init.cause })
    this.kind = kind
    this.details = init.details ?? {}
    this.headers = init.headers ?? {}
  }
}

/** Every kind of problem declared so far, by code: the source of the error reference. */
export const problemKinds = new Map<string, ProblemKind>()

/**
 * Declares a kind of problem and answers the exception class that raises it.
 *
 * @param advice What to do about it, where there is more to say than for any problem of this status
 *
 * @example
 * export const RoleNotFound = defineProblem('ROLE_NOT_FOUND', 404, 'No such role')
 * throw new RoleNotFound()
 */
export function defineProblem(
  code: string,
  status: number,
  title: string,
  advice = usualAdvice(status)
) {
  const kind: ProblemKind = { code, status, title, advice }
  problemKinds.set(code, kind)
  return class extends Problem {
    static readonly kind = kind
    constructor(init?: ProblemInit) {
      super(kind, init)
    }
  }
}
