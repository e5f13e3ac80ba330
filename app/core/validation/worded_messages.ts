import type { FieldContext, MessagesProviderContact } from '@vinejs/vine/types'

type Facts = Record<string, unknown>

const items = (count: unknown, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** What a field must be, by Vine's rules. */
const WORDS: Record<string, (facts: Facts) => string> = {
  'required': () => 'is required',
  'string': () => 'must be a string',
  'number': () => 'must be a number',
  'boolean': () => 'must be true or false',
  'array': () => 'must be an array',
  'object': () => 'must be an object',
  'enum': ({ choices }) => `must be one of ${(choices as unknown[]).join(', ')}`,
  'literal': ({ expectedValue }) => `must be ${expectedValue}`,
  'minLength': ({ min }) =>
    min === 1 ? 'must not be empty' : `must have at least ${items(min, 'character')}`,
  'maxLength': ({ max }) => `must have at most ${items(max, 'character')}`,
  'array.minLength': ({ min }) => `must have at least ${items(min, 'item')}`,
  'array.maxLength': ({ max }) => `must have at most ${items(max, 'item')}`,
  'min': ({ min }) => `must be at least ${min}`,
  'max': ({ max }) => `must be at most ${max}`,
  'range': ({ min, max }) => `must be between ${min} and ${max}`,
  'withoutDecimals': () => 'must be a whole number',
  'distinct': ({ fields }) =>
    fields === undefined
      ? 'must not contain the same value twice'
      : `must not contain the same ${[fields].flat().join(' and ')} twice`,
}

/** Names fields by their path, because the last part of it may be an index. */
export class WordedMessages implements MessagesProviderContact {
  getMessage(raw: string, rule: string, field: FieldContext, facts: Facts = {}): string {
    const path = field.getFieldPath() || 'The body'
    const words = WORDS[rule]
    return words ? `${path} ${words(facts)}` : raw.replace('{{ field }}', () => path)
  }
}
