/** Longer keys, from before the limit and from names in data, stand for their beginning. */
export const MAX_KEY_NAMES = 8

/** Keys by their names, so that data is searched once for all of them. */
class KeyNode {
  isEnd = false
  readonly byName = new Map<string, KeyNode>()

  add(names: string[]) {
    let node: KeyNode = this
    for (const name of names) {
      const next = node.byName.get(name) ?? new KeyNode()
      node.byName.set(name, next)
      node = next
    }
    node.isEnd = true
  }
}

/**
 * A place in data: what is left of the keys that lead there. It remembers the places below it, so
 * that each is computed once for all items of a list.
 */
export class KeyPlace {
  /** Whether a key ends here, which covers everything below */
  readonly isEnd: boolean
  readonly isNowhere: boolean
  /** All names in the keys, which bound what is remembered */
  readonly #names: ReadonlySet<string>
  readonly #nodes: readonly KeyNode[]
  /** What stands for all items of a list, so that no position can follow */
  readonly #anyItem: readonly KeyNode[]
  #byName?: Map<string, KeyPlace>
  #byPosition?: Map<string, KeyPlace>
  #otherItem?: KeyPlace

  private constructor(
    names: ReadonlySet<string>,
    nodes: readonly KeyNode[],
    anyItem: readonly KeyNode[] = []
  ) {
    this.#names = names
    this.#nodes = nodes
    this.#anyItem = anyItem
    this.isEnd = nodes.some((node) => node.isEnd)
    this.isNowhere = nodes.length === 0 && anyItem.length === 0
  }

  static readonly #NOWHERE = new KeyPlace(new Set(), [])

  /** Where the data begins. */
  static root(keys: string[]): KeyPlace {
    const paths = keys.map((key) => key.split('.', MAX_KEY_NAMES))
    const node = new KeyNode()
    for (const path of paths) node.add(path)
    return new KeyPlace(new Set(paths.flat()), [node])
  }

  /** @param name may be dotted */
  below(name: string): KeyPlace {
    let place: KeyPlace = this
    // Splitting would take most of the time.
    for (const part of name.includes('.') ? name.split('.') : [name]) {
      if (place.isNowhere || place.isEnd) break
      place = place.#next(part)
    }
    return place
  }

  inItem(position: number | string): KeyPlace {
    if (this.#nodes.length === 0) return this
    const name = String(position)
    if (!this.#names.has(name)) return (this.#otherItem ??= this.#item([]))
    this.#byPosition ??= new Map()
    return remembered(this.#byPosition, name, () => this.#item(after(this.#nodes, name)))
  }

  #item(nodes: KeyNode[]) {
    return new KeyPlace(this.#names, nodes, [...this.#anyItem, ...this.#nodes])
  }

  #next(name: string): KeyPlace {
    if (!this.#names.has(name)) return KeyPlace.#NOWHERE
    this.#byName ??= new Map()
    return remembered(this.#byName, name, () => {
      const anyItem = isPosition(name) ? [] : after(this.#anyItem, name)
      const nodes = [...after(this.#nodes, name), ...anyItem]
      return nodes.length === 0 ? KeyPlace.#NOWHERE : new KeyPlace(this.#names, nodes)
    })
  }
}

function remembered(places: Map<string, KeyPlace>, name: string, compute: () => KeyPlace) {
  const place = places.get(name) ?? compute()
  places.set(name, place)
  return place
}

const after = (nodes: readonly KeyNode[], name: string) =>
  nodes.flatMap(({ byName }) => byName.get(name) ?? [])

export const isPosition = (name: string) => /^\d+$/.test(name)
