import { isServiceVariable } from '#app/notifications/values/service_variables'

/** What the identity provider says in a mail that lets nobody in. */
const HARMLESS = new Set([
  ...['title', 'preHeader', 'greeting', 'buttonText', 'footerText'],
  ...['firstName', 'lastName', 'displayName', 'loginName', 'preferredLoginName'],
  ...['applicationName', 'tempUsername', 'domain', 'origin'],
])

/**
 * Whether a variable of a system type may hold a code or a link that lets somebody in. Names that
 * nobody knows count as secret: the provider brings along whatever it likes.
 */
export function mayBeSecret(name: string): boolean {
  const [root] = name.split('.', 1)
  return !isServiceVariable(root) && !HARMLESS.has(root)
}
