import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { addAbortListener } from 'node:events'

/** The second attempt takes twice as long. */
const ATTEMPT_MS = 1_000
const MAX_MS = 5_000
/** Of each family. Each is checked, and all are tried until one accepts a connection. */
const MAX_ADDRESSES = 4

/**
 * Asks the name servers of the machine for the addresses of a name, IPv4 first. Unlike
 * `dns.lookup`, this needs no thread: four threads resolve all other names, so a few names whose
 * servers do not answer would delay all of them. It does not read `/etc/hosts`, and ignores all
 * but the first few addresses of each family.
 *
 * @param family 4 or 6; 0 for both
 * @param servers other name servers, such as `127.0.0.1:5353`
 * @throws Error with the code of `node:dns`, such as `ENOTFOUND` or `ETIMEOUT`; TimeoutError
 */
export async function resolvePublicName(
  hostname: string,
  family: number,
  servers?: string[]
): Promise<LookupAddress[]> {
  // A new one knows the present name servers of a machine that has moved to another network.
  const resolver = new Resolver({ timeout: ATTEMPT_MS, tries: 2 })
  if (servers) resolver.setServers(servers)
  const timeLimit = AbortSignal.timeout(MAX_MS)
  const listener = addAbortListener(timeLimit, () => resolver.cancel())
  try {
    const answers = await Promise.allSettled([
      family === 6 ? [] : resolver.resolve4(hostname),
      family === 4 ? [] : resolver.resolve6(hostname),
    ])
    const addresses = answers.flatMap((answer, index) =>
      answer.status === 'rejected'
        ? []
        : answer.value
            .slice(0, MAX_ADDRESSES)
            .map((address) => ({ address, family: index === 0 ? 4 : 6 }))
    )
    const failed = answers.find((answer) => answer.status === 'rejected')
    if (addresses.length > 0 || !failed) return addresses
    timeLimit.throwIfAborted()
    throw failed.reason
  } finally {
    listener[Symbol.dispose]()
  }
}
