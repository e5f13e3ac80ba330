import { BlockList, isIP } from 'node:net'
import { LRUCache } from 'lru-cache'

const MAX_REMEMBERED = 1_000

/** IPv4-mapped IPv6 addresses match IPv4 ranges. @throws Error that quotes the invalid range */
export class Networks {
  readonly #list = new BlockList()
  #isEmpty = true
  /** The same few addresses are looked up repeatedly. */
  readonly #remembered = new LRUCache<string, boolean>({ max: MAX_REMEMBERED })

  constructor(ranges: string[]) {
    for (const range of ranges) this.#add(range)
  }

  includes(address: string): boolean {
    if (this.#isEmpty) return false
    let isIncluded = this.#remembered.get(address)
    if (isIncluded === undefined) {
      this.#remembered.set(address, (isIncluded = this.#check(address)))
    }
    return isIncluded
  }

  #check(address: string): boolean {
    const family = isIP(address)
    if (family === 0) return false
    return this.#list.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }

  #add(range: string) {
    const [address, prefix, ...rest] = range.split('/')
    const family = isIP(address)
    const width = family === 6 ? 128 : 32
    const bits = Number(prefix ?? width)
    if (family === 0 || rest.length > 0 || !/^\d+$/.test(prefix ?? '0') || bits > width) {
      throw new Error(`"${range}" is not an address or a CIDR range`)
    }
    this.#isEmpty = false
    this.#list.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4')
  }
}
