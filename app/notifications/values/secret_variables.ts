import { isServiceVariable } from '#app/notifications/values/service_variables'

// Variables of the identity provider's mails that cannot be used to sign in.
const HARMLESS = new Set([
  'title',
  'preHeader',
  'greeting',
  'buttonText',
  'footerText',
  'firstName',
  'lastName',
  'displayName',
  'loginName',
  'preferredLoginName',
  'applicationName',
  'tempUsername',
  'domain',
  'origin',
])

/** Unknown variables of a system type count as secret, because the provider may add any. */
export function mayBeSecret(name: string): boolean {
  const [root] = name.split('.', 1)
  return !isServiceVariable(root) && !HARMLESS.has(root)
}
