import { Socket, isIP } from 'node:net'
import { type UrlAuthor, mayConnectTo } from '#core/network/address_policy'
import { guardedLookup } from '#core/network/guarded_lookup'
import { OutboundError } from '#core/network/outbound_error'

export interface Destination {
  host: string
  port: number
}

/** Fails with an OutboundError if `author` may not connect to the address. */
export function guardedSocket({ host, port }: Destination, author: UrlAuthor): Socket {
  const socket = new Socket()
  const refuse = () => socket.destroy(new OutboundError('address'))
  if (isIP(host) !== 0 && !mayConnectTo(host, author)) return refuse()
  socket.once('connect', () => {
    if (!mayConnectTo(socket.remoteAddress ?? '', author)) refuse()
  })
  return socket.connect({ host, port, lookup: guardedLookup(author) })
}
