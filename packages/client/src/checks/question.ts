import { isRevision } from '../revision.ts'
import type { Level } from '../types.ts'

export interface Resource {
  type: string
  id: string
}

/** A question about the owner of the client's token. */
export interface OwnCheckQuestion {
  app: string
  permission: string
  /** The required level; any level satisfies a question without one. */
  level?: Level
  /** Without a resource, the question is about the application as a whole. */
  resource?: Resource
}

/** A question about the user with this address, for servers on the private network. */
export interface CheckQuestion extends OwnCheckQuestion {
  email: string
}

export interface CheckOptions {
  /**
   * The revision of a change that the check must reflect, from `revisionOf`. A revision that does
   * not exist is a ConciergeProblem `REVISION_UNKNOWN`. Null is the same as none.
   */
  atLeast?: number | null
}

/** Questions with the same key differ only in the permission. */
export function groupKey(question: CheckQuestion | OwnCheckQuestion): string {
  const { app, level, resource } = question
  return JSON.stringify([emailOf(question), app, level, resource?.type, resource?.id])
}

export function emailOf(question: CheckQuestion | OwnCheckQuestion): string | undefined {
  return 'email' in question ? question.email : undefined
}

/**
 * Rejects incomplete questions: they would ask something else, which may well be allowed.
 *
 * @throws TypeError
 */
export function requireComplete(question: { email?: unknown; resource?: Resource }): void {
  if ('email' in question && typeof question.email !== 'string') {
    throw new TypeError(
      'The email of a check must be a string; omit it to check the owner of the token'
    )
  }
  const { resource } = question
  if (resource === undefined) return
  if (typeof resource?.type !== 'string' || typeof resource.id !== 'string') {
    throw new TypeError('The resource of a check must have a type and an id, both strings')
  }
}

/**
 * @returns 0 if none is required
 * @throws TypeError
 */
export function requiredRevision({ atLeast }: CheckOptions = {}): number {
  if (atLeast === undefined || atLeast === null) return 0
  if (!isRevision(atLeast)) {
    throw new TypeError('atLeast must be a revision: a whole number, as revisionOf returns it')
  }
  return atLeast
}
