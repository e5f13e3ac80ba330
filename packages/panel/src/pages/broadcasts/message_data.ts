type Data = Record<string, unknown>

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The text of a variable such as `order.number`; empty if there is none, null if something else is
 * in its place.
 */
export function textAt(data: Data, key: string): string | null {
  let value: unknown = data
  for (const name of key.split('.')) {
    if (!isObject(value)) return null
    if (!Object.hasOwn(value, name)) return ''
    value = value[name]
  }
  return typeof value === 'string' ? value : null
}

/** The data with another text. An empty one is left out, so that the service can miss it. */
export function withText(data: Data, key: string, text: string): Data {
  const [name, ...rest] = key.split('.') as [string, ...string[]]
  if (rest.length === 0) {
    return text === '' ? without(data, name) : own(data, name, text)
  }
  const inner = Object.hasOwn(data, name) && isObject(data[name]) ? data[name] : {}
  return own(data, name, withText(inner, rest.join('.'), text))
}

/** Also for a name such as `__proto__`. */
const own = (data: Data, name: string, value: unknown): Data =>
  Object.fromEntries([...Object.entries(without(data, name)), [name, value]])

const without = (data: Data, name: string): Data =>
  Object.fromEntries(Object.entries(data).filter(([key]) => key !== name))
