import { randomBytes } from 'node:crypto'
import { secrets } from '#core/secrets'

const PREFIX = 'whsec_'
const PURPOSE = 'webhook.secret'
const BYTES = 32

/** A secret as Standard Webhooks writes it: a prefix and base64. */
export const generateSecret = () => `${PREFIX}${randomBytes(BYTES).toString('base64')}`

export const encryptSecret = (secret: string) => secrets.encrypt(secret, PURPOSE)

/** Null if it was encrypted with an unknown key. */
export const decryptSecret = (stored: string) => secrets.decrypt(stored, PURPOSE)

/** What signs. */
export const keyOf = (secret: string) => Buffer.from(secret.slice(PREFIX.length), 'base64')
