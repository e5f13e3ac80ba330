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
