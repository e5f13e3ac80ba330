import type { Level } from '../types.ts'

export interface Resource {
  type: string
  id: string
}

/** About the owner of the client's token. */
export interface OwnCheckQuestion {
  app: string
  permission: string
  /** At least this level; without it any level will do. */
  level?: Level
  /** The one thing it is about; without it the question is about the application as a whole. */
  resource?: Resource
}

/** About the person with this address, asked from the private network. */
export interface CheckQuestion extends OwnCheckQuestion {
  email: string
}

/** Questions of one group differ in the permission only. */
export function groupOf(question: CheckQuestion | OwnCheckQuestion): string {
  const { app, level, resource } = question
  return JSON.stringify([emailOf(question), app, level, resource?.type, resource?.id])
}

export function emailOf(question: CheckQuestion | OwnCheckQuestion): string | undefined {
  return 'email' in question ? question.email : undefined
}

/**
 * A question with something left out by mistake is another question, which may well be allowed: without its address it is about
 * the owner of the token, with half a resource about the application as a whole.
 *
 * @throws TypeError
 */
export function requireComplete(question: CheckQuestion | OwnCheckQuestion): void {
  if ('email' in question && typeof question.email !== 'string') {
    throw new TypeError('The email of a check must be a text; leave it out to ask about the token')
  }
  const { resource } = question
  if (resource === undefined) return
  if (typeof resource?.type !== 'string' || typeof resource.id !== 'string') {
    throw new TypeError('The resource of a check must have a type and an id, both texts')
  }
}
