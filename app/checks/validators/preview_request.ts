import type { AccessChange } from '#app/permissions/changes/access_change'
import { readAccessChanges } from '#app/permissions/changes/read_access_changes'
import { previewPageValidator } from '#app/checks/validators/preview_schema'

export interface PreviewRequest {
  changes: AccessChange[]
  page: { limit?: number; cursor?: string }
}

/**
 * @throws ValidationError
 * @describedBy preview_schema#previewSchema
 */
export async function readPreview(body: Record<string, unknown>): Promise<PreviewRequest> {
  const { limit, cursor } = await previewPageValidator.validate(body)
  return { changes: await readAccessChanges(body.changes), page: { limit, cursor } }
}
