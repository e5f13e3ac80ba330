import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator'
import { charge } from '#app/permissions/conditions/cost'
import { ImpossibleOperation } from '#app/permissions/conditions/evaluation_errors'

/** Values that conditions can read besides JSON, and their fields. */
export class SubjectValue {
  constructor(
    readonly id: string,
    readonly email: string,
    readonly properties: object
  ) {}
}
export class ResourceValue {
  constructor(
    readonly type: string,
    readonly id: string | undefined,
    readonly properties: object
  ) {}
}
export class ActionValue {
  constructor(
    readonly name: string,
    readonly properties: object
  ) {}
}

type CelMap = Map<unknown, unknown> | Record<string, unknown>

/**
 * Reads one field, key or element of a JSON value or of a variable, never of a prototype. Undefined
 * if there is none.
 */
export function readMember(container: unknown, key: unknown): unknown {
  if (typeof container !== 'object' || container === null) return undefined
  if (Array.isArray(container)) {
    return typeof key === 'bigint' || typeof key === 'number' ? container[Number(key)] : undefined
  }
  if (container instanceof Map) return container.get(mapKey(key))
  if (!isRecord(container) || typeof key !== 'string') return undefined
  return Object.hasOwn(container, key) ? container[key] : undefined
}

/**
 * Whether a container has a field or key.
 *
 * @throws ImpossibleOperation for the id of a resource that has no name, because it could be any
 */
export function hasMember(container: unknown, key: unknown): boolean {
  if (container instanceof ResourceValue && key === 'id' && container.id === undefined) {
    throw new ImpossibleOperation('The id of the resource is not known')
  }
  return readMember(container, key) !== undefined
}

/** An int and a double are the same key. */
export function mapKey(key: unknown): unknown {
  return typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : key
}

function isRecord(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value)
  return (
    prototype === Object.prototype ||
    prototype === null ||
    value instanceof SubjectValue ||
    value instanceof ResourceValue ||
    value instanceof ActionValue
  )
}

/** As CEL defines it: numbers by value, lists and maps by content, other types never. */
export function isEqual(a: unknown, b: unknown): boolean {
  charge(1)
  if (typeof a === 'string') {
    if (typeof b !== 'string' || a.length !== b.length) return false
    charge(a.length / 64)
    return a === b
  }
  if (a === b) return true
  const [left, right] = [toNumber(a), toNumber(b)]
  if (left !== undefined) return right !== undefined && isSameNumber(left, right)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && areEqualLists(a, b)
  if (Array.isArray(b)) return false
  if (a instanceof Date) return b instanceof Date && a.getTime() === b.getTime()
  if (a instanceof Duration) {
    return b instanceof Duration && a.seconds === b.seconds && a.nanos === b.nanos
  }
  if (a instanceof Uint8Array) {
    charge(a.length / 64)
    return b instanceof Uint8Array && Buffer.compare(a, b) === 0
  }
  return isMap(a) && isMap(b) && areEqualMaps(a, b)
}

function toNumber(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  return value instanceof UnsignedInt ? value.valueOf() : undefined
}

/** An int and a double, too, without rounding. NaN equals nothing. */
const isSameNumber = (one: number | bigint, other: number | bigint) => one <= other && one >= other

function areEqualLists(a: unknown[], b: unknown[]) {
  return a.length === b.length && a.every((item, index) => isEqual(item, b[index]))
}

function areEqualMaps(a: CelMap, b: CelMap) {
  const entries = entriesOf(a)
  return (
    entries.length === sizeOf(b) &&
    entries.every(
      ([key, value]) => hasMember(a, key) && hasMember(b, key) && isEqual(value, readMember(b, key))
    )
  )
}

function isMap(value: object): value is CelMap {
  return value instanceof Map || isRecord(value)
}

function entriesOf(map: CelMap): [unknown, unknown][] {
  const entries = map instanceof Map ? [...map] : Object.entries(map)
  charge(entries.length * 10)
  return entries
}

function sizeOf(map: CelMap) {
  const size = map instanceof Map ? map.size : Object.keys(map).length
  charge(size)
  return size
}

/** @returns undefined for a container that is neither a list nor a map */
export function isMember(value: unknown, container: unknown): boolean | undefined {
  if (Array.isArray(container)) return container.some((item) => isEqual(value, item))
  if (typeof container !== 'object' || container === null || !isMap(container)) return undefined
  return hasMember(container, value)
}

/** The elements of a list or the keys of a map; undefined for anything else. */
export function iterate(container: unknown): unknown[] | undefined {
  if (Array.isArray(container)) return container
  if (typeof container !== 'object' || container === null || !isMap(container)) return undefined
  return entriesOf(container).map(([key]) => key)
}

/** The characters, elements or keys of a value, without what is in them; 1 for anything else. */
export function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length
  return isMap(value) ? sizeOf(value) : 1
}
