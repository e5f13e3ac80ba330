import { type KeyObject, createPrivateKey } from 'node:crypto'
import { isUsableDkimKey } from '#app/platform/values/dkim_key'

/** A DKIM key as mails are signed with, parsed once. */
export interface DkimKey {
  domain: string
  selector: string
  key: KeyObject
}

/** Null for a key that could not sign: the mailer would send unsigned without a word. */
export function parseDkimKey(pem: string): KeyObject | null {
  const withLines = pem.replaceAll('\\n', '\n')
  return isUsableDkimKey(withLines) ? createPrivateKey(withLines) : null
}
