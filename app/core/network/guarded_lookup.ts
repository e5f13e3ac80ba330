import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { type UrlAuthor, mayConnectTo } from '#core/network/address_policy'
import { isLoopbackHost } from '#core/network/loopback'
import { OutboundError } from '#core/network/outbound_error'
import { resolvePublicName } from '#core/network/resolve_public_name'

/** Resolves a name to the addresses that `author` may reach, so that others are never contacted. */
export function guardedLookup(author: UrlAuthor): LookupFunction {
  return (hostname, options, callback) => {
    const answer = (addresses: LookupAddress[]) => {
      const permitted = addresses.filter(({ address }) => mayConnectTo(address, author))
      if (permitted.length === 0) return callback(new OutboundError('address'), [])
      if (options.all) return callback(null, permitted)
      callback(null, permitted[0].address, permitted[0].family)
    }
    const found =
      author === 'operator'
        ? lookup(hostname, { ...options, all: true })
        : addressesOfPublic(hostname, Number(options.family ?? 0))
    found.then(answer, (error: Error) => callback(error, []))
  }
}

async function addressesOfPublic(hostname: string, family: number) {
  return isLoopbackHost(hostname) ? [] : resolvePublicName(hostname, family)
}
