import { invalidField } from '#core/exceptions/problems'
import { openCursor, sealCursor } from '#core/http/sealed_cursor'
import type { FlipPosition } from '#app/checks/previews/flip_collector'
import type { FlipCounts } from '#app/checks/previews/flip_counter'

const KIND = 'preview'

/** Where the next page begins; the counts are those of the first page. */
export interface PreviewPosition {
  after: FlipPosition
  counts: FlipCounts
}

/** @param asked everything that the preview asks for: no other preview accepts the cursor */
export function sealPreviewPosition({ after, counts }: PreviewPosition, asked: unknown): string {
  const { email, permission, resource } = after
  const { gained, lost, conditional } = counts
  const name = resource && [resource.type, resource.id]
  return sealCursor([email, permission, name, gained, lost, conditional], KIND, asked)
}

type Sealed = [string, string, [string, string] | null, number, number, number]

/** @throws ValidationError for a cursor of another preview, or one that was made up */
export function openPreviewPosition(cursor: string, asked: unknown): PreviewPosition {
  const position = openCursor<Sealed>(cursor, KIND, asked)
  if (position === null) {
    const message = 'cursor must be the nextCursor of the previous page of the same preview'
    throw invalidField('cursor', 'cursor', message)
  }
  const [email, permission, name, gained, lost, conditional] = position
  const resource = name && { type: name[0], id: name[1] }
  return { after: { email, permission, resource }, counts: { gained, lost, conditional } }
}
