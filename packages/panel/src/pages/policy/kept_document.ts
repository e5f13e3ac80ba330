import { useSessionStorage } from '@vueuse/core'

/**
 * A document that someone is writing, and how it is to be applied. It is kept in this tab, also
 * while they sign in again.
 *
 * @param owner e-mail address of who is writing
 */
export function keptDocument(owner: string, appCode: string) {
  const key = `concierge-policy:${owner}:${appCode}`
  return {
    text: useSessionStorage(`${key}:text`, ''),
    prune: useSessionStorage(`${key}:prune`, false),
    assignments: useSessionStorage(`${key}:assignments`, false),
  }
}

export type KeptDocument = ReturnType<typeof keptDocument>
