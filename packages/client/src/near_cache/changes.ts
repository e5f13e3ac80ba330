import { isRevision } from '../revision.ts'

/** Answers about these may have changed; without a field, whatever it is. */
export interface AccessScope {
  email?: string
  application?: string
  /** Only answers that depend on conditions, which are never remembered. */
  resourceType?: string
}

/** What an answer is about. */
export interface Subject {
  /** In canonical form. */
  email: string
  app: string
}

export interface AccessChange {
  revision: number
  scopes: AccessScope[]
}

/** How many applied changes are kept for answers that are still on their way. */
const MAX_CHANGES = 1_000

export function covers({ email, application, resourceType }: AccessScope, about: Subject) {
  return (
    resourceType === undefined &&
    (email === undefined || email === about.email) &&
    (application === undefined || application === about.app)
  )
}

/** The last changes that were applied. */
export class RecentChanges {
  #changes: AccessChange[] = []
  /** Every change after this revision is known. */
  #knownAfter = Infinity

  /** @param revision there is nothing to know before */
  reset(revision: number) {
    this.#changes = []
    this.#knownAfter = revision
  }

  add(change: AccessChange) {
    this.#changes.push(change)
    if (this.#changes.length > MAX_CHANGES) this.#knownAfter = this.#changes.shift()!.revision
  }

  /** Whether a change after this revision may have altered an answer, or is no longer known. */
  mayAlter(about: Subject, revision: number): boolean {
    if (revision < this.#knownAfter) return true
    return this.#changes.some(
      (change) => change.revision > revision && change.scopes.some((scope) => covers(scope, about))
    )
  }
}

/** @throws Error if it is none: then nothing that this feed says can be relied on */
export function readChange(data: string): AccessChange {
  const { revision, scopes } = JSON.parse(data) as Partial<AccessChange>
  if (!isRevision(revision) || !Array.isArray(scopes) || !scopes.every(isScope)) {
    throw new Error('The change feed sent a change without a valid revision and scopes')
  }
  return { revision, scopes }
}

/** @throws Error if there is none */
export function readRevision(data: string): number {
  const { revision } = JSON.parse(data) as { revision?: unknown }
  if (!isRevision(revision)) throw new Error('The change feed sent an event without a revision')
  return revision
}

function isScope(given: unknown): given is AccessScope {
  if (typeof given !== 'object' || given === null) return false
  const { email, application, resourceType } = given as Record<string, unknown>
  return [email, application, resourceType].every(
    (field) => field === undefined || typeof field === 'string'
  )
}
