import { createHash } from 'node:crypto'

/** @param createdAt as stored in the database */
export function notificationReference(id: number, createdAt: string, email: string) {
  const digest = createHash('sha256').update(`${id}\n${createdAt}\n${email}`).digest('hex')
  return `notification.${id}.${digest.slice(0, 16)}`
}
