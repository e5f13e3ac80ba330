import { defineProblem } from '#core/exceptions/problem'

const RevisionUnknownProblem = defineProblem(
  'REVISION_UNKNOWN',
  409,
  'This revision does not exist yet'
)

export class RevisionUnknown extends RevisionUnknownProblem {
  constructor(latest: number) {
    super({ details: { latest } })
  }
}

export const PreviewTooLarge = defineProblem(
  'PREVIEW_TOO_LARGE',
  409,
  'The changes affect too much for one preview',
  'Preview fewer changes at once, or changes to roles and permissions that fewer users have. `details.exceeded` names the limit.'
)
