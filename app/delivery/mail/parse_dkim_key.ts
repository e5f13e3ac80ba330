import { type KeyObject, createPrivateKey } from 'node:crypto'
import { isUsableDkimKey } from '#app/platform/values/dkim_key'

export interface DkimKey {
  domain: string
  selector: string
  key: KeyObject
}

/** Null if the key cannot sign. nodemailer would silently send the mail unsigned. */
export function parseDkimKey(pem: string): KeyObject | null {
  const withLines = pem.replaceAll('\\n', '\n')
  return isUsableDkimKey(withLines) ? createPrivateKey(withLines) : null
}
