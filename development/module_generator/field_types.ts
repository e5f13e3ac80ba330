/**
 * What a field of a module can be: how it is stored, checked and tried out. All code is TypeScript source, without
 * anything that came from the command line.
 */
export interface FieldType {
  says: string
  /** The column, given its name in quotes. */
  column: (name: string) => string
  tsType: 'string' | 'number' | 'boolean' | 'DateTime'
  /** Of `#core/validation/fields`. */
  validator: string
  /** What makes a model's value of what the validator accepted, of the same module. */
  converter?: string
  /** Values a client may send, the second one different from the first. */
  samples: [string, string]
  /** A value of this type that no other row has; only types that have one can be what things are known by. */
  unique?: (prefix: string) => { code: string; helper: 'randomUUID' | 'randomInt' }
  /** Values that are refused, with what they are. */
  wrong: [what: string, value: string][]
}

const uuid = (prefix: string, suffix = '') => ({
  code: `\`${prefix}-\${randomUUID().slice(0, 12)}${suffix}\``,
  helper: 'randomUUID' as const,
})

export const FIELD_TYPES: Record<string, FieldType> = {
  string: {
    says: 'one line of text, at most 255 characters',
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
    says: 'text of any number of lines, at most 4,000 characters',
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
    says: 'a lower-case code without spaces, at most 128 characters',
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
    says: 'an e-mail address, kept in its canonical form',
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
    says: 'an absolute http or https URL',
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
    says: 'a whole number of 32 bits',
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
    says: 'true or false',
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
    says: 'a moment, ISO 8601',
    column: (name) => `table.timestamp(${name}, { useTz: true })`,
    tsType: 'DateTime',
    validator: 'timestamp',
    converter: 'toMoment',
    samples: [`'2026-03-01T10:00:00.000Z'`, `'2027-12-31T23:59:59.999Z'`],
    wrong: [
      ['a number', '1772359200000'],
      ['a day that does not exist', `'2026-02-31T10:00:00Z'`],
    ],
  },
}
