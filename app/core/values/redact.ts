/** Replaces secrets, because servers quote what they refuse. */
export function redactSecrets(text: string, secrets: string[]): string {
  // Longest first, because a link contains its code.
  const ordered = secrets.filter(Boolean).sort((one, other) => other.length - one.length)
  return ordered.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
}
