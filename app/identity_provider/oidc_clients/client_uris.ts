export interface ClientUris {
  redirectUris: string[]
  postLogoutRedirectUris: string[]
}

interface ListChange {
  next: string[]
  added: string[]
  removed: string[]
  /** The URIs that we may remove, before and after the change. */
  owned: string[]
  kept: string[]
}

export interface UriChange {
  next: ClientUris
  added: string[]
  removed: string[]
  owned: ClientUris
  kept: ClientUris
}

/** A URI that was there before us is never ours to remove. */
export function planUris(current: ClientUris, written: ClientUris, wanted: ClientUris): UriChange {
  const [redirects, logouts] = (['redirectUris', 'postLogoutRedirectUris'] as const).map((list) =>
    planList(current[list], written[list], wanted[list])
  )
  const bothLists = (part: 'next' | 'owned' | 'kept'): ClientUris => ({
    redirectUris: redirects[part],
    postLogoutRedirectUris: logouts[part],
  })
  return {
    next: bothLists('next'),
    owned: bothLists('owned'),
    kept: bothLists('kept'),
    added: [...redirects.added, ...logouts.added],
    removed: [...redirects.removed, ...logouts.removed],
  }
}

function planList(current: string[], written: string[], wanted: string[]): ListChange {
  const present = new Set(current)
  const unwanted = new Set(written).difference(new Set(wanted))
  const removed = current.filter((uri) => unwanted.has(uri))
  const added = wanted.filter((uri) => !present.has(uri))
  const next = [...current.filter((uri) => !unwanted.has(uri)), ...added]
  const owned = [...written.filter((uri) => present.has(uri)), ...added]
  const kept = owned.filter((uri) => !unwanted.has(uri))
  return { next, added, removed, owned, kept }
}

export const NO_URIS: ClientUris = { redirectUris: [], postLogoutRedirectUris: [] }

export const hasUris = (uris: ClientUris | null) =>
  uris !== null && uris.redirectUris.length + uris.postLogoutRedirectUris.length > 0

export const sharedUris = (some: ClientUris, others: ClientUris) =>
  filterUris(some, others, (uri, otherUris) => otherUris.has(uri))

export const urisWithout = (some: ClientUris, others: ClientUris) =>
  filterUris(some, others, (uri, otherUris) => !otherUris.has(uri))

export const mergeUris = (some: ClientUris, others: ClientUris): ClientUris => ({
  redirectUris: withoutDuplicates([...some.redirectUris, ...others.redirectUris]),
  postLogoutRedirectUris: withoutDuplicates([
    ...some.postLogoutRedirectUris,
    ...others.postLogoutRedirectUris,
  ]),
})

export const withoutDuplicates = (uris: string[]) => [...new Set(uris)]

function filterUris(
  some: ClientUris,
  others: ClientUris,
  keep: (uri: string, otherUris: Set<string>) => boolean
): ClientUris {
  const filterList = (list: keyof ClientUris) => {
    const otherUris = new Set(others[list])
    return some[list].filter((uri) => keep(uri, otherUris))
  }
  return {
    redirectUris: filterList('redirectUris'),
    postLogoutRedirectUris: filterList('postLogoutRedirectUris'),
  }
}
