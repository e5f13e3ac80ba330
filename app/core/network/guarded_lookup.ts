import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { OutboundError } from '#core/network/outbound_error'
import { type UrlAuthor, mayConnectTo } from '#core/network/address_policy'

/** Resolves a name to the addresses that `author` may reach, so that others are never contacted. */
export function guardedLookup(author: UrlAuthor): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      const permitted = addresses.filter(({ address }) => mayConnectTo(address, author))
      if (permitted.length === 0) return callback(new OutboundError('address'), [])
      if (options.all) return callback(null, permitted)
      callback(null, permitted[0].address, permitted[0].family)
    })
  }
}
