import { createHash } from 'node:crypto'
import { secrets } from '#core/secrets'

/**
 * Seals a position in the results of a question. Nobody can read it, and no other question accepts
 * it.
 *
 * @param kind keeps the cursors of different routes apart
 * @param asked everything that the question asks for
 */
export function sealCursor(position: unknown, kind: string, asked: unknown): string {
  return secrets.encrypt(JSON.stringify(position), purposeOf(kind, asked))
}

/** Null for the cursor of another question, or one that was made up. */
export function openCursor<Position>(sealed: string, kind: string, asked: unknown) {
  const position = secrets.decrypt(sealed, purposeOf(kind, asked))
  return position === null ? null : (JSON.parse(position) as Position)
}

function purposeOf(kind: string, asked: unknown): string {
  return `${kind}:${createHash('sha256').update(JSON.stringify(asked)).digest('base64url')}`
}
