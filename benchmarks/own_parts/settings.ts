import { randomBytes } from 'node:crypto'
import webPush from 'web-push'

const secret = () => randomBytes(32).toString('hex')

const vapid = webPush.generateVAPIDKeys()

/** What the service requires in production. */
export const settings = {
  HOST: '127.0.0.1',
  PORT: '3333',
  APP_URL: 'https://concierge.example',
  APP_KEY: secret(),
  INTERNAL_API_KEY: secret(),
  WEBHOOK_SECRET: secret(),
  IDP_ISSUER: 'https://id.example.com',
  IDP_AUDIENCE: 'concierge',
  VAPID_PUBLIC_KEY: vapid.publicKey,
  VAPID_PRIVATE_KEY: vapid.privateKey,
}
