import { randomUUID } from 'node:crypto'

/** In place of an erased user's address (profiles.md#erasing-a-user). */
export function newPseudonym(): string {
  return `erased-${randomUUID()}`
}

export function isPseudonym(email: string): boolean {
  return !email.includes('@')
}
