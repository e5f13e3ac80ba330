const PREFIX = 'draft:'

const keyOf = (owner: string, name: string) => `${PREFIX}${owner}:${location.pathname}:${name}`

/**
 * Keeps what was typed in this tab, for when its owner comes back from signing in.
 *
 * @param owner e-mail address of who typed it
 */
export function saveDraft(owner: string, name: string, values: object) {
  sessionStorage.setItem(keyOf(owner, name), JSON.stringify(values))
}

/** What was kept, once. */
export function restoreDraft<Values extends object>(owner: string, name: string): Partial<Values> {
  const key = keyOf(owner, name)
  const text = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return text ? (JSON.parse(text) as Partial<Values>) : {}
}

/** Someone else has signed in in this tab. */
export function dropDraftsOfOthers(owner: string) {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX) && !key.startsWith(`${PREFIX}${owner}:`)) {
      sessionStorage.removeItem(key)
    }
  }
}
