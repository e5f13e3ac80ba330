import ts from 'typescript'
import { DeclaredOrders } from '#development/openapi/declared_orders'
import { fieldDescription } from '#development/openapi/documentation'
import { type JsonSchema, nullable } from '#development/openapi/json_schema'
import { SchemaNames } from '#development/openapi/schema_names'
import type { SourceCode } from '#development/openapi/source_code'

const FRACTION = /(?:Rate|^p\d\d)$/

const has = (type: ts.Type, flag: ts.TypeFlags) => (type.flags & flag) !== 0

/**
 * JSON Schemas of TypeScript types. Objects are closed, numbers are integers unless their name says
 * that they are rates or percentiles, and strings named `…At` are timestamps
 * (conventions.md#timestamps).
 */
export class TypeSchemas {
  readonly components: Record<string, JsonSchema> = {}
  readonly #checker: ts.TypeChecker
  readonly #names: SchemaNames
  readonly #orders: DeclaredOrders

  constructor(source: SourceCode) {
    this.#checker = source.checker
    this.#names = new SchemaNames(source)
    this.#orders = new DeclaredOrders(source)
  }

  /** @throws Error for a type that JSON cannot represent */
  schemaOf(type: ts.Type): JsonSchema {
    const name = this.#names.nameOf(type)
    if (name === undefined) return this.#inline(type)
    if (!this.components[name]) {
      this.components[name] = {}
      Object.assign(this.components[name], this.#inline(type))
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  #inline(type: ts.Type): JsonSchema {
    if (has(type, ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {}
    if (has(type, ts.TypeFlags.Null)) return { type: 'null' }
    if (type.isStringLiteral()) return { type: 'string', enum: [type.value] }
    if (type.isNumberLiteral()) return { type: 'integer', enum: [type.value] }
    if (has(type, ts.TypeFlags.BooleanLiteral)) {
      return { type: 'boolean', enum: [this.#checker.typeToString(type) === 'true'] }
    }
    if (type.isUnion()) return this.#union(type)
    if (has(type, ts.TypeFlags.StringLike)) return { type: 'string' }
    if (has(type, ts.TypeFlags.NumberLike)) return { type: 'integer' }
    if (has(type, ts.TypeFlags.BooleanLike)) return { type: 'boolean' }
    if (has(type, ts.TypeFlags.NonPrimitive)) return { type: 'object' }
    if (has(type, ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return this.#structure(type)
    throw new Error(`${this.#checker.typeToString(type)} cannot be described as JSON`)
  }

  #union(union: ts.UnionType): JsonSchema {
    const members = union.types.filter((one) => !has(one, ts.TypeFlags.Undefined))
    const others = members.filter((one) => !has(one, ts.TypeFlags.Null))
    const schema = this.#oneOf(others)
    return others.length < members.length ? nullable(schema) : schema
  }

  #oneOf(types: ts.Type[]): JsonSchema {
    const schemas = types.map((type) => this.schemaOf(type))
    const [first] = schemas
    if (schemas.length === 1) return first
    if (!schemas.every((schema) => schema.enum && schema.type === first.type)) {
      return { anyOf: schemas }
    }
    if (first.type === 'boolean') return { type: 'boolean' }
    const values = schemas.flatMap((schema) => schema.enum ?? [])
    return { type: first.type, enum: this.#orders.sort(values as (string | number)[]) }
  }

  #structure(type: ts.Type): JsonSchema {
    if (type.symbol?.name === 'DateTime') return { type: 'string', format: 'date-time' }
    if (this.#checker.isArrayType(type)) {
      const [item] = this.#checker.getTypeArguments(type as ts.TypeReference)
      return { type: 'array', items: this.schemaOf(item) }
    }
    if (type.getCallSignatures().length > 0)
      throw new Error('A function cannot be described as JSON')
    const index = type.getStringIndexType()
    const additional = index ? orTrue(this.schemaOf(index)) : false
    const properties = this.#checker
      .getPropertiesOfType(type)
      .map((property) => [property.name, this.#property(property)] as const)
      .filter(([, schema]) => schema !== null)
    if (properties.length === 0 && index)
      return { type: 'object', additionalProperties: additional }
    const required = this.#checker
      .getPropertiesOfType(type)
      .filter((property) => !this.#isOptional(property))
      .map(({ name }) => name)
    return {
      type: 'object',
      properties: Object.fromEntries(properties) as Record<string, JsonSchema>,
      ...(required.length > 0 && { required }),
      additionalProperties: additional,
    }
  }

  #property(property: ts.Symbol): JsonSchema {
    const schema = this.schemaOf(this.#checker.getTypeOfSymbol(property))
    const isText = [schema.type].flat().includes('string')
    if (property.name.endsWith('At') && isText) schema.format = 'date-time'
    if (FRACTION.test(property.name)) schema.type = asNumber(schema.type)
    const comment = ts.displayPartsToString(property.getDocumentationComment(this.#checker))
    const description = fieldDescription(comment)
    return description && !schema.$ref ? { ...schema, description } : schema
  }

  #isOptional(property: ts.Symbol) {
    const type = this.#checker.getTypeOfSymbol(property)
    const mayBeUndefined =
      type.isUnion() && type.types.some((one) => has(one, ts.TypeFlags.Undefined))
    return (property.flags & ts.SymbolFlags.Optional) !== 0 || mayBeUndefined
  }
}

function asNumber(type: JsonSchema['type']): JsonSchema['type'] {
  if (type === 'integer') return 'number'
  return Array.isArray(type) ? type.map((one) => (one === 'integer' ? 'number' : one)) : type
}

/** An empty schema would mean the same, but looks like a mistake. */
const orTrue = (schema: JsonSchema) => (Object.keys(schema).length === 0 ? true : schema)
