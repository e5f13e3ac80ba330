import { createHash } from 'node:crypto'

/** @param createdAt as stored in the database */
export function notificationReference(id: number, createdAt: string, email: string) {
  const digest = createHash('sha256').update(`${id}\n${createdAt}\n${email}`).digest('hex')
  return `notification.${id}.${digest.slice(0, 16)}`
}

/** Null for a reference to something else. */
export function parseNotificationReference(
  reference: string
): { id: number; digest: string } | null {
  const [, id, digest] = /^notification\.(\d+)\.([0-9a-f]{16})$/.exec(reference) ?? []
  return id === undefined ? null : { id: Number(id), digest }
}
