import { InvalidArgumentError } from 'commander'

export interface Resource {
  type: string
  id: string
}

/** Parses `type:id`; the id may contain colons. */
export function parseResource(text: string): Resource {
  const [type, id] = text.split(/:(.*)/s)
  if (type && id) return { type, id }
  throw new InvalidArgumentError('It must have the form type:id, such as order:42.')
}
