import fc from 'fast-check'
import type { JsonSchema } from '#development/openapi/json_schema'

/** Texts that are likely to cause errors. */
export const ODD_TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '1e3',
  '__proto__',
  'constructor',
  'null',
  "' or 1=1 --",
  '%',
  '%00',
  '..',
  '.',
  '/',
  '\\',
  '\u0000',
  '\ud800',
  '\u202e',
  '\ufeff',
  '\u{1f600}',
  '{{x}}',
  '<b>',
  'x'.repeat(129),
  'x'.repeat(256),
  'ž'.repeat(1_100),
  '99999999999999999999',
  '2147483648',
  '9999-99-99T99:99:99Z',
  'http://',
  'javascript:alert(1)',
  'a@b',
  `${'a'.repeat(260)}@x.io`,
]

const ODD_NUMBERS = [0, -1, 1.5, 2 ** 31, 2 ** 53, 1e21, Number.MAX_SAFE_INTEGER]

export const oddValue = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], { length: 3 }),
  fc.constantFrom<unknown>(...ODD_TEXTS),
  fc.constantFrom<unknown>(...ODD_NUMBERS),
  fc.jsonValue({ maxDepth: 2 })
)

/** Made once, because making them takes longer than generating a value. */
const ADDRESSES = fc.oneof(
  { weight: 3, arbitrary: fc.uuid().map((id) => `${id}@fuzz.example`) },
  { weight: 1, arbitrary: fc.emailAddress() }
)
const URLS = fc.webUrl({ validSchemes: ['http', 'https'], size: 'small' })
const texts = new Map<string, fc.Arbitrary<string>>()

function textOfLength(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const key = `${minLength} ${maxLength}`
  const text = texts.get(key) ?? fc.string({ unit: 'grapheme', minLength, maxLength })
  texts.set(key, text)
  return text
}

/** Fields whose values are valid, but could break later requests. */
const TAMED: Record<string, fc.Arbitrary<unknown>> = {
  // It would become the sender for everyone without a brand.
  isDefault: fc.constant(false),
}

export function valueOf(schema: JsonSchema, name = ''): fc.Arbitrary<unknown> {
  if (name in TAMED) return TAMED[name]
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valueOf(one)))
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length > 1) {
    return fc.oneof(...types.map((type) => valueOf({ ...schema, type })))
  }
  switch (types[0]) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'string':
      return textOf(schema)
    case 'array':
      return listOf(schema)
    case 'object':
      return objectOf(schema)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function numberOf({ minimum = -1_000, maximum = 2 ** 31 - 1 }: JsonSchema) {
  const few = fc.integer({ min: minimum, max: Math.min(maximum, minimum + 30) })
  return fc.oneof(few, fc.integer({ min: minimum, max: maximum }))
}

function textOf({ format, pattern, not, minLength = 0, maxLength = 60 }: JsonSchema) {
  const refused = not?.enum ?? []
  return plainText(format, pattern, Math.min(maxLength, 60))
    .filter((text) => text.length >= minLength && text.length <= maxLength)
    .filter((text) => !refused.includes(text))
}

function plainText(format: string | undefined, pattern: string | undefined, maxLength: number) {
  if (format === 'email') return ADDRESSES
  if (format === 'uri') return URLS
  if (format === 'date-time') {
    const [min, max] = [new Date('1990-01-01'), new Date('2090-01-01')]
    return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString())
  }
  if (pattern === undefined) return textOfLength(0, maxLength)
  const expression = new RegExp(pattern, 'u')
  // The generator does not support Unicode property classes, which most texts match.
  if (pattern.includes('\\p{')) {
    return textOfLength(1, maxLength).filter((text) => expression.test(text))
  }
  // Nor does it support lookaheads, which exclude only a few texts.
  const withoutLookahead = new RegExp(pattern.replaceAll(/\(\?=[^)]*\)/g, ''), 'u')
  return fc.stringMatching(withoutLookahead, { maxLength }).filter((text) => expression.test(text))
}

function listOf({ items = {}, minItems = 0, maxItems = 3, uniqueItems }: JsonSchema) {
  const bounds = { minLength: minItems, maxLength: Math.min(maxItems, 3) }
  const item = valueOf(items)
  if (!uniqueItems) return fc.array(item, bounds)
  return fc.uniqueArray(item, { ...bounds, selector: (value) => JSON.stringify(value) })
}

function objectOf({ properties, required = [], additionalProperties }: JsonSchema) {
  if (!properties) {
    const inside =
      typeof additionalProperties === 'object'
        ? valueOf(additionalProperties)
        : fc.jsonValue({ maxDepth: 1 })
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), inside, { maxKeys: 4 })
  }
  const fields = Object.entries(properties).map(([name, schema]) => [name, valueOf(schema, name)])
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: required,
    noNullPrototype: true,
  }) as fc.Arbitrary<Record<string, unknown>>
}
