const key = (name: string) => `draft:${location.pathname}:${name}`

/** Keeps what was typed in this tab, for when its owner comes back from signing in. */
export function saveDraft(name: string, values: object) {
  sessionStorage.setItem(key(name), JSON.stringify(values))
}

/** What was kept, once. */
export function restoreDraft<Values extends object>(name: string): Partial<Values> {
  const text = sessionStorage.getItem(key(name))
  sessionStorage.removeItem(key(name))
  return text ? (JSON.parse(text) as Partial<Values>) : {}
}
