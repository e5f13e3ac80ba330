import { type FieldError, invalidFields } from '#core/exceptions/problems'
import { MAX_VALIDATION_ERRORS } from '#core/validation/limited_error_reporter'
import type { JsonObject } from '#app/permissions/conditions/condition_variables'

/** Of ids, types and names. No stored one is longer. */
export const MAX_TEXT_LENGTH = 255
/** Of all properties and the context of a request together, as JSON. */
export const MAX_PROPERTY_BYTES = 16_384

/** Of page tokens, which contain an id. */
export const MAX_TOKEN_LENGTH = 4_096

/** Reads one request and collects what is wrong with it. Null counts as absent. */
export class AuthzenRequest {
  readonly #body: JsonObject
  readonly #errors: FieldError[] = []
  #hasProperties = false

  /** @throws ValidationError if the body is not an object */
  constructor(body: unknown) {
    if (!isObject(body)) throw invalidFields([fault('', 'object', 'The body must be an object')])
    this.#body = body
  }

  /** An object with these texts, all required, and perhaps `properties`. */
  part<Name extends string>(field: string, names: readonly Name[]) {
    const given = this.#object(field, this.#body[field])
    if (given === undefined) {
      if (isAbsent(this.#body[field])) this.#fail(field, 'required', 'is required')
      return {} as Read<Name>
    }
    return this.#read(field, given, names)
  }

  /** The same as a default, which can be incomplete or absent. */
  checkDefault(field: string, names: readonly string[]) {
    const given = this.#object(field, this.#body[field])
    if (given !== undefined) {
      this.#read(
        field,
        given,
        names.filter((name) => !isAbsent(given[name]))
      )
    }
  }

  context(): JsonObject | undefined {
    const context = this.#object('context', this.#body.context)
    this.#hasProperties ||= context !== undefined
    return context
  }

  /** Which page of a search is wanted. */
  page(): { token?: string; limit?: number } {
    const page = this.#object('page', this.#body.page)
    const [token, limit] = [page?.token ?? undefined, page?.limit ?? undefined]
    const isCount = typeof limit === 'number' && Number.isSafeInteger(limit) && limit >= 0
    if (limit !== undefined && !isCount) {
      this.#fail('page.limit', 'range', 'must be a whole number of at least 0', { min: 0 })
    }
    if (token !== undefined) this.#text('page.token', token, MAX_TOKEN_LENGTH)
    return { token: token as string | undefined, limit: limit as number | undefined }
  }

  /** @throws ValidationError with at most ten errors */
  finish<T extends object>(request: T): T {
    if (this.#errors.length === 0 && this.#hasProperties) this.#limit(request)
    if (this.#errors.length > 0) throw invalidFields(this.#errors)
    return request
  }

  fail(field: string, rule: string, text: string, meta = {}) {
    this.#fail(field, rule, text, meta)
  }

  #read<Name extends string>(field: string, given: JsonObject, names: readonly Name[]) {
    const read: JsonObject = {}
    for (const name of names) read[name] = this.#text(`${field}.${name}`, given[name])
    const properties = this.#object(`${field}.properties`, given.properties)
    this.#hasProperties ||= properties !== undefined
    return { ...read, properties } as Read<Name>
  }

  #text(field: string, given: unknown, max = MAX_TEXT_LENGTH) {
    const limit = { max }
    if (isAbsent(given)) this.#fail(field, 'required', 'is required')
    else if (typeof given !== 'string') this.#fail(field, 'string', 'must be a string')
    else if (given === '') this.#fail(field, 'minLength', 'must not be empty', { min: 1 })
    else if (given.length > limit.max) {
      this.#fail(field, 'maxLength', `must have at most ${limit.max} characters`, limit)
    }
    return given
  }

  #object(field: string, given: unknown): JsonObject | undefined {
    if (isObject(given)) return given
    if (!isAbsent(given)) this.#fail(field, 'object', 'must be an object')
    return undefined
  }

  #limit(request: object) {
    const { subject, resource, action, context } = request as Record<string, Partial<Read<never>>>
    const given = [subject?.properties, resource?.properties, action?.properties, context]
    const limit = { max: MAX_PROPERTY_BYTES }
    const bytes = given
      .filter((part) => part !== undefined)
      .reduce((sum, part) => sum + Buffer.byteLength(JSON.stringify(part)), 0)
    if (bytes <= limit.max) return
    const text = `must have at most ${limit.max} bytes together with the context`
    this.#fail('properties', 'maxBytes', text, limit)
  }

  #fail(field: string, rule: string, text: string, meta = {}) {
    this.#errors.push(fault(field, rule, `${field} ${text}`, meta))
    if (this.#errors.length === MAX_VALIDATION_ERRORS) throw invalidFields(this.#errors)
  }
}

type Read<Name extends string> = Record<Name, string> & { properties?: JsonObject }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const isAbsent = (value: unknown) => value === undefined || value === null

const fault = (field: string, rule: string, message: string, meta = {}): FieldError => ({
  field,
  rule,
  message,
  meta,
})
