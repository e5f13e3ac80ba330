import { defineProblem } from '#core/exceptions/problem'

export const MalformedYaml = defineProblem(
  'MALFORMED_YAML',
  400,
  'The body is not valid YAML',
  'Correct the text at `details.line` and `details.column` as `details.reason` says. Aliases, tags and repeated keys are not accepted.'
)
export const PreconditionRequired = defineProblem(
  'PRECONDITION_REQUIRED',
  428,
  'The request must say which state it is based on',
  'Plan the change first, and send the `revision` of the plan in `If-Match`.'
)
export const PolicyTooLarge = defineProblem(
  'POLICY_TOO_LARGE',
  409,
  'The policy of the application is too large for one document',
  'Export without assignments, and use their import and their list instead. Manage large numbers of texts with `concierge templates`.'
)
