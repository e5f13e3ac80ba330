type Listener = () => void

const listeners = new Set<Listener>()

/** Announces within this process that it has committed something new in an inbox. */
export function announceInboxNews() {
  for (const listener of listeners) listener()
}

/** @returns a function that ends this */
export function onInboxNews(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
