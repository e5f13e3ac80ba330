/**
 * How a field is stored, validated and tested. All code is TypeScript source and contains no user
 * input.
 */
export interface FieldType {
  description: string
  column: (name: string) => string
  tsType: 'string' | 'number' | 'boolean' | 'DateTime'
  /** An export of `#core/validation/fields`. */
  validator: string
  /** Converts the validated value for the model; from the same module. */
  converter?: string
  /** Two different valid values. */
  samples: [string, string]
  /** A unique value; a type without one cannot be the first field. */
  unique?: (prefix: string) => { code: string; helper: 'randomUUID' | 'randomInt' }
  /** Invalid values and their descriptions. */
  wrong: [what: string, value: string][]
}

const uuid = (prefix: string, suffix = '') => ({
  code: `\`${prefix}-\${randomUUID().slice(0, 12)}${suffix}\``,
  helper: 'randomUUID' as const,
})

export const FIELD_TYPES: Record<string, FieldType> = {
  string: {
    description: 'one line of text, at most 255 characters',
    column: (name) => `table.string(${name})`,
    tsType: 'string',
    validator: 'label',
    samples: [`'Some text'`, `'Other text'`],
    unique: (prefix) => uuid(prefix),
    wrong: [
      ['a number', '7'],
      ['empty text', `''`],
      ['two lines', `'one\\ntwo'`],
    ],
  },
  text: {
    description: 'text of several lines, at most 4,000 characters',
    column: (name) => `table.text(${name})`,
    tsType: 'string',
    validator: 'prose',
    samples: [`'Some lines\\nof text'`, `''`],
    wrong: [
      ['a number', '7'],
      ['4,001 characters', `'x'.repeat(4_001)`],
    ],
  },
  slug: {
    description: 'a lower-case code without spaces, at most 128 characters',
    column: (name) => `table.string(${name}, 128)`,
    tsType: 'string',
    validator: 'slug',
    samples: [`'some-slug'`, `'other-slug'`],
    unique: (prefix) => uuid(prefix),
    wrong: [
      ['a number', '7'],
      ['upper case', `'UPPER'`],
      ['a reserved name', `'constructor'`],
    ],
  },
  email: {
    description: 'an e-mail address, kept in its canonical form',
    column: (name) => `table.string(${name}, 254)`,
    tsType: 'string',
    validator: 'email',
    samples: [`'some@tests.example'`, `'other@tests.example'`],
    unique: (prefix) => uuid(prefix, '@tests.example'),
    wrong: [
      ['a number', '7'],
      ['a word', `'nobody'`],
    ],
  },
  url: {
    description: 'an absolute http or https URL',
    column: (name) => `table.string(${name}, 2048)`,
    tsType: 'string',
    validator: 'httpUrl',
    samples: [`'https://some.example/path'`, `'https://other.example/'`],
    wrong: [
      ['a path', `'/path'`],
      ['a script', `'javascript:alert(1)'`],
    ],
  },
  integer: {
    description: 'a 32-bit integer',
    column: (name) => `table.integer(${name})`,
    tsType: 'number',
    validator: 'integer',
    samples: ['7', '-1'],
    unique: () => ({ code: 'randomInt(2 ** 31)', helper: 'randomInt' }),
    wrong: [
      ['a fraction', '1.5'],
      ['text', `'7'`],
      ['more than 32 bits', '2 ** 31'],
    ],
  },
  boolean: {
    description: 'true or false',
    column: (name) => `table.boolean(${name})`,
    tsType: 'boolean',
    validator: 'flag',
    samples: ['true', 'false'],
    wrong: [
      ['a number', '1'],
      ['text', `'true'`],
    ],
  },
  timestamp: {
    description: 'a time, as ISO 8601',
    column: (name) => `table.timestamp(${name}, { useTz: true })`,
    tsType: 'DateTime',
    validator: 'timestamp',
    converter: 'toDateTime',
    samples: [`'2026-03-01T10:00:00.000Z'`, `'2027-12-31T23:59:59.999Z'`],
    wrong: [
      ['a number', '1772359200000'],
      ['a day that does not exist', `'2026-02-31T10:00:00Z'`],
    ],
  },
}
