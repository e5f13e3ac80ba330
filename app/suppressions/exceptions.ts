import { defineProblem } from '#core/exceptions/problem'

export const SuppressionNotFound = defineProblem(
  'SUPPRESSION_NOT_FOUND',
  404,
  'The address is not suppressed'
)
export const AddressSuppressed = defineProblem(
  'ADDRESS_SUPPRESSED',
  409,
  'The address is already suppressed',
  'To change the reason, remove the suppression and add it again.'
)
