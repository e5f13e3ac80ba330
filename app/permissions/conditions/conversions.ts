import { isTimestamp } from '#core/validation/fields'
import { ImpossibleOperation } from '#app/permissions/conditions/evaluation_errors'

const DECIMAL = /^[-+]?\d+$/
const NATURAL = /^\+?\d+$/
const DURATION = /^[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/
const PART_OF_DURATION = /([\d.]+)(\D+)/g
const SECONDS: Record<string, number> = {
  h: 3_600,
  m: 60,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  µs: 1e-6,
  ns: 1e-9,
}
/** About 10,000 years: the limit of CEL. */
const MAX_SECONDS = 315_576_000_000
/** The hour is not 24, and there is an offset. */
const RFC_3339 = /^.{10}T(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

/** What CEL converts, for functions with which the library converts more. */
const IS_CONVERTIBLE: Record<string, (value: unknown) => boolean> = {
  int: (value) => isNumeric(value, DECIMAL, -(2 ** 63)),
  uint: (value) => isNumeric(value, NATURAL, 0, 2 ** 64),
  duration: (value) => typeof value !== 'string' || isDuration(value),
  timestamp: (value) => typeof value !== 'string' || (RFC_3339.test(value) && isTimestamp(value)),
}

/**
 * The library reads an empty text as 0, for example. A condition with a malformed value must fail.
 *
 * @throws ImpossibleOperation
 */
export function requireConvertible(name: string, value: unknown) {
  if (IS_CONVERTIBLE[name]?.(value) === false) {
    throw new ImpossibleOperation(`The value cannot be converted to ${name}`)
  }
}

/** Other types than texts and numbers are left to the library. */
function isNumeric(value: unknown, pattern: RegExp, least: number, limit = 2 ** 63): boolean {
  if (typeof value === 'string') return pattern.test(value)
  return typeof value !== 'number' || (value >= least && value < limit)
}

function isDuration(text: string): boolean {
  if (!DURATION.test(text)) return false
  const parts = [...text.matchAll(PART_OF_DURATION)]
  return parts.reduce((sum, [, n, unit]) => sum + Number(n) * SECONDS[unit], 0) <= MAX_SECONDS
}
