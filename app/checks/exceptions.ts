import { defineProblem } from '#core/exceptions/problem'

const RevisionUnknownProblem = defineProblem(
  'REVISION_UNKNOWN',
  409,
  'There is no change with this revision yet'
)

export class RevisionUnknown extends RevisionUnknownProblem {
  constructor(latest: number) {
    super({ details: { latest } })
  }
}

export const PreviewTooLarge = defineProblem(
  'PREVIEW_TOO_LARGE',
  409,
  'The changes concern more than a preview can look at',
  'Preview fewer changes at once, or changes of roles and permissions that fewer users have. `details` names what there is too much of.'
)
