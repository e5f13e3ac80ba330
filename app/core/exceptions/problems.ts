import { defineProblem } from '#core/exceptions/problem'

/** See conventions.md#generic-problem-codes. */
export const ValidationError = defineProblem(
  'VALIDATION_ERROR',
  400,
  'The request is not valid',
  'Correct the fields that `details.errors` lists as `field`, `rule` and `message`.'
)
export const MalformedJson = defineProblem(
  'MALFORMED_JSON',
  400,
  'The body is not valid JSON',
  'Send JSON in UTF-8: a serializer makes none that is refused.'
)
export const MalformedRequest = defineProblem('MALFORMED_REQUEST', 400, 'This is no HTTP request')
export const Forbidden = defineProblem(
  'FORBIDDEN',
  403,
  'You may not do this',
  'Ask a super admin or an administrator of the application for access. Check endpoints are available on the private network only.'
)
export const NotFound = defineProblem('NOT_FOUND', 404, 'No such resource')
export const MethodNotAllowed = defineProblem(
  'METHOD_NOT_ALLOWED',
  405,
  'The resource does not support this method',
  'Use one of the methods that the header `Allow` names.'
)
export const Conflict = defineProblem(
  'CONFLICT',
  409,
  'The request conflicts with what is stored',
  'Read what the request builds on again: something of it was deleted at the same time.'
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
  'The only expectation that is met is 100-continue'
)
export const RateLimited = defineProblem('RATE_LIMITED', 429, 'Too many requests')
export const HeadersTooLarge = defineProblem('HEADERS_TOO_LARGE', 431, 'The headers are too large')
export const InternalError = defineProblem('INTERNAL_ERROR', 500, 'Something went wrong here')
export const UpstreamUnreachable = defineProblem(
  'UPSTREAM_UNREACHABLE',
  502,
  'A service this answer depends on could not be reached'
)
export const DatabaseUnavailable = defineProblem(
  'DATABASE_UNAVAILABLE',
  503,
  'The database cannot be reached at the moment'
)
export const Overloaded = defineProblem('OVERLOADED', 503, 'Too much to do at the moment')

/** A validation error for rules that depend on more than the value of the field. */
export function invalidField(field: string, rule: string, message: string) {
  return new ValidationError({ detail: message, details: { errors: [{ field, rule, message }] } })
}
