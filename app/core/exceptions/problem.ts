import { Exception } from '@poppinss/utils/exception'
import { defaultAdvice } from '#core/exceptions/default_advice'

export interface ProblemInit {
  /** One sentence for the developer who reads the response. Never a secret, SQL or a file path. */
  detail?: string
  details?: Record<string, unknown>
  headers?: Record<string, string>
  cause?: unknown
}

export interface ProblemKind {
  code: string
  status: number
  title: string
  /** How to solve the problem, for the page about this code. */
  advice: string
}

/** An error whose text may reach a client (conventions.md#problem-details). */
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

export const problemKinds = new Map<string, ProblemKind>()

/** Declares a kind of problem and returns its exception class. `advice` says how to solve it. */
export function defineProblem(
  code: string,
  status: number,
  title: string,
  advice = defaultAdvice(status)
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
