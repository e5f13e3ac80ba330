/** The URIs of an OIDC client to which it may redirect. */
export interface ClientUris {
  redirectUris: string[]
  postLogoutRedirectUris: string[]
}

/** The result of a change of one list of URIs at the identity provider. */
interface ListChange {
  next: string[]
  added: string[]
  removed: string[]
  /** The URIs that we may remove, now or later, and those left after the change. */
  ours: string[]
  left: string[]
}

export interface UriChange {
  next: ClientUris
  added: string[]
  removed: string[]
  ours: ClientUris
  left: ClientUris
}

/**
 * Computes a client's new URIs: adds the wanted ones, removes those we wrote and no longer want,
 * and keeps all others. A URI that was there before us is never ours.
 */
export function planUris(current: ClientUris, wrote: ClientUris, wanted: ClientUris): UriChange {
  const [redirects, logouts] = (['redirectUris', 'postLogoutRedirectUris'] as const).map((list) =>
    planList(current[list], wrote[list], wanted[list])
  )
  const both = (part: 'next' | 'ours' | 'left'): ClientUris => ({
    redirectUris: redirects[part],
    postLogoutRedirectUris: logouts[part],
  })
  return {
    next: both('next'),
    ours: both('ours'),
    left: both('left'),
    added: [...redirects.added, ...logouts.added],
    removed: [...redirects.removed, ...logouts.removed],
  }
}

function planList(current: string[], wrote: string[], wanted: string[]): ListChange {
  const present = new Set(current)
  const unwanted = new Set(wrote).difference(new Set(wanted))
  const removed = current.filter((uri) => unwanted.has(uri))
  const added = wanted.filter((uri) => !present.has(uri))
  const next = [...current.filter((uri) => !unwanted.has(uri)), ...added]
  const ours = [...wrote.filter((uri) => present.has(uri)), ...added]
  const left = ours.filter((uri) => !unwanted.has(uri))
  return { next, added, removed, ours, left }
}

export const NO_URIS: ClientUris = { redirectUris: [], postLogoutRedirectUris: [] }

export const hasUris = (uris: ClientUris | null) =>
  uris !== null && uris.redirectUris.length + uris.postLogoutRedirectUris.length > 0

/** The URIs of `some` that are also in `others`. */
export const sharedUris = (some: ClientUris, others: ClientUris) =>
  filtered(some, others, (uri, listed) => listed.has(uri))

/** The URIs of `some` that are not in `others`. */
export const urisWithout = (some: ClientUris, others: ClientUris) =>
  filtered(some, others, (uri, listed) => !listed.has(uri))

export const allUris = (some: ClientUris, others: ClientUris): ClientUris => ({
  redirectUris: withoutDuplicates([...some.redirectUris, ...others.redirectUris]),
  postLogoutRedirectUris: withoutDuplicates([
    ...some.postLogoutRedirectUris,
    ...others.postLogoutRedirectUris,
  ]),
})

export const withoutDuplicates = (uris: string[]) => [...new Set(uris)]

function filtered(
  some: ClientUris,
  others: ClientUris,
  keep: (uri: string, listed: Set<string>) => boolean
): ClientUris {
  const filteredList = (list: keyof ClientUris) => {
    const listed = new Set(others[list])
    return some[list].filter((uri) => keep(uri, listed))
  }
  return {
    redirectUris: filteredList('redirectUris'),
    postLogoutRedirectUris: filteredList('postLogoutRedirectUris'),
  }
}
