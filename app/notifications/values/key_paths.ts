/** Longer keys, from before the limit and from names in data, stand for their beginning. */
export const MAX_KEY_NAMES = 8

/** Keys by their names, so that data is searched once for all of them. */
class KeyNode {
  isEnd = false
  readonly byName = new Map<string, KeyNode>()
  #inItems?: KeyNode

  add(names: string[]) {
    let node: KeyNode = this
    for (const name of names) {
      const next = node.byName.get(name) ?? new KeyNode()
      node.byName.set(name, next)
      node = next
    }
    node.isEnd = true
  }

  /** The keys that do not name a position next: they stand for all items of a list. */
  get inItems(): KeyNode {
    return (this.#inItems ??= this.#withoutPositions())
  }

  #withoutPositions() {
    const rest = new KeyNode()
    for (const [name, node] of this.byName) if (!isPosition(name)) rest.byName.set(name, node)
    return rest
  }
}

/** A place in data: what is left of the keys that lead there. None if it is empty. */
export type KeyPlace = readonly KeyNode[]

export function keyPaths(keys: string[]): KeyPlace {
  const root = new KeyNode()
  for (const key of keys) root.add(key.split('.', MAX_KEY_NAMES))
  return [root]
}

/** Whether a key ends here, which covers everything below. */
export const isEnd = (place: KeyPlace) => place.some((node) => node.isEnd)

/** @param name may be dotted */
export function below(place: KeyPlace, name: string): KeyPlace {
  for (const part of name.split('.')) {
    if (place.length === 0 || isEnd(place)) break
    place = after(place, part)
  }
  return place
}

export function inItem(place: KeyPlace, position: string): KeyPlace {
  return [...place.map(({ inItems }) => inItems), ...after(place, position)]
}

const after = (place: KeyPlace, name: string) =>
  place.flatMap(({ byName }) => byName.get(name) ?? [])

export const isPosition = (name: string) => /^\d+$/.test(name)
