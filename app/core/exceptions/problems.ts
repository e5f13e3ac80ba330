import { defineProblem } from '#core/exceptions/problem'

/** See conventions.md#generic-problem-codes. */
export const ValidationError = defineProblem(
  'VALIDATION_ERROR',
  400,
  'The request is not valid',
  'Correct the fields that `details.errors` lists as `field`, `rule`, `message` and `meta`.'
)
export const MalformedJson = defineProblem(
  'MALFORMED_JSON',
  400,
  'The body is not valid JSON',
  'Send valid JSON in UTF-8, such as a JSON serializer produces.'
)
export const MalformedRequest = defineProblem(
  'MALFORMED_REQUEST',
  400,
  'The request is not valid HTTP'
)
export const Forbidden = defineProblem(
  'FORBIDDEN',
  403,
  'You do not have permission to do this',
  'Ask a super admin or an administrator of the application for access. Check endpoints are only available on the private network.'
)
export const NotFound = defineProblem('NOT_FOUND', 404, 'Resource not found')
export const MethodNotAllowed = defineProblem(
  'METHOD_NOT_ALLOWED',
  405,
  'The resource does not support this method',
  'Use one of the methods in the `Allow` header.'
)
export const Conflict = defineProblem(
  'CONFLICT',
  409,
  'The request conflicts with stored data',
  'A resource that the request refers to was deleted at the same time. Fetch those resources, then try again.'
)
export const Stale = defineProblem(
  'STALE',
  412,
  'The resource has changed since it was read',
  'Compare your change with the current state in `details.current`. If it still applies, repeat it with the `ETag` of this response in `If-Match`.'
)
export const AlreadyAtWork = defineProblem(
  'ALREADY_AT_WORK',
  409,
  'The same operation is already in progress',
  'Wait for it to finish. If the response has a `Retry-After` header, wait that many seconds.'
)
export const ChangesTakeTooLong = defineProblem(
  'CHANGES_TAKE_TOO_LONG',
  409,
  'The changes take too long for one transaction',
  'Make fewer changes at once, such as a part of the policy. Only installations on SQLite have this limit.'
)
export const RequestTimeout = defineProblem(
  'REQUEST_TIMEOUT',
  408,
  'The request did not arrive in time'
)
export const PayloadTooLarge = defineProblem('PAYLOAD_TOO_LARGE', 413, 'The body is too large')
export const UnsupportedMediaType = defineProblem(
  'UNSUPPORTED_MEDIA_TYPE',
  415,
  'The body must be uncompressed application/json in UTF-8',
  'Send the body as `application/json`, in UTF-8 and without `Content-Encoding`.'
)
export const ExpectationFailed = defineProblem(
  'EXPECTATION_FAILED',
  417,
  'The only supported expectation is 100-continue'
)
export const RateLimited = defineProblem('RATE_LIMITED', 429, 'Too many requests')
export const HeadersTooLarge = defineProblem('HEADERS_TOO_LARGE', 431, 'The headers are too large')
export const InternalError = defineProblem('INTERNAL_ERROR', 500, 'An internal error occurred')
export const UpstreamUnreachable = defineProblem(
  'UPSTREAM_UNREACHABLE',
  502,
  'A service that this response depends on could not be reached'
)
export const DatabaseUnavailable = defineProblem(
  'DATABASE_UNAVAILABLE',
  503,
  'The database is temporarily unavailable'
)
export const Overloaded = defineProblem('OVERLOADED', 503, 'The service is temporarily overloaded')
export const Starting = defineProblem('STARTING', 503, 'The service is still starting')

/** A violation of a rule (conventions.md#validation-errors). */
export interface FieldError {
  field: string
  rule: string
  message: string
  /** Facts of the rule, such as its limit or the allowed values. */
  meta?: Record<string, unknown>
}

export function invalidFields(errors: FieldError[]) {
  const shown = errors.map(({ field, rule, message, meta = {} }) => ({
    field,
    rule,
    message,
    meta,
  }))
  return new ValidationError({ detail: errors[0]?.message, details: { errors: shown } })
}

/** A validation error for rules that depend on more than the value of the field. */
export function invalidField(field: string, rule: string, message: string, meta = {}) {
  return invalidFields([{ field, rule, message, meta }])
}
