import { isServiceVariable } from '#app/notifications/values/service_variables'

/** Variables of the identity provider's mails that do not help anybody to sign in. */
const HARMLESS = new Set([
  ...['title', 'preHeader', 'greeting', 'buttonText', 'footerText'],
  ...['firstName', 'lastName', 'displayName', 'loginName', 'preferredLoginName'],
  ...['applicationName', 'tempUsername', 'domain', 'origin'],
])

/**
 * Whether a variable of a system type may contain a sign-in code or link. Unknown names count as
 * secret, because the provider can add any variable.
 */
export function mayBeSecret(name: string): boolean {
  const [root] = name.split('.', 1)
  return !isServiceVariable(root) && !HARMLESS.has(root)
}
