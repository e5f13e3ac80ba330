import { defineProblem } from '#core/exceptions/problem'

export const MalformedYaml = defineProblem(
  'MALFORMED_YAML',
  400,
  'The body is not valid YAML',
  'Correct the text at `details.line` and `details.column`; `details.reason` says what is wrong. Aliases, tags and repeated keys are not accepted.'
)
export const PreconditionRequired = defineProblem(
  'PRECONDITION_REQUIRED',
  412,
  'The request requires the header If-Match',
  'Plan the change first, and send the `revision` of the plan in `If-Match`.'
)
export const PolicyTooLarge = defineProblem(
  'POLICY_TOO_LARGE',
  409,
  'The policy is too large for one document',
  'Export without `assignments=true`, and use `concierge assignments` instead. Apply large changes in parts. Manage large numbers of texts with `concierge templates`.'
)
