import { InvalidArgumentError } from 'commander'

export interface Resource {
  type: string
  id: string
}

/** Parses `type:id`; the id may contain colons. */
export function resource(text: string): Resource {
  const [type, id] = text.split(/:(.*)/s)
  if (type && id) return { type, id }
  throw new InvalidArgumentError('Say it as type:id, such as order:42.')
}
