import { usageFailure } from '../errors.ts'

export const BROADCASTS = '/api/admin/notifications/broadcast/{appCode}'
export const BROADCAST = `${BROADCASTS}/{id}` as const

/** @throws a usage failure */
export function parseId(text: string): number {
  const id = Number(text)
  if (Number.isSafeInteger(id) && id > 0) return id
  throw usageFailure('The broadcast id must be a positive integer')
}
