import { randomUUID } from 'node:crypto'

/** In place of an erased person's address (profiles.md#erasing-a-person). */
export function newPseudonym(): string {
  return `erased-${randomUUID()}`
}

export function isPseudonym(email: string): boolean {
  return !email.includes('@')
}
