import { generateKeyPairSync } from 'node:crypto'
import webPush from 'web-push'

/** Settings of a service that signs its mails and sends them to this local port. */
export function mailSettings(port: number) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const vapid = webPush.generateVAPIDKeys()
  return {
    HOST: '127.0.0.1',
    QUEUE_IN_SERVICE: 'false',
    CHECK_ON_PUBLIC_PORT: 'true',
    APP_KEY: 'a-key-that-only-the-benchmark-knows',
    INTERNAL_API_KEY: 'internal-key-of-the-benchmark-0123456789',
    WEBHOOK_SECRET: 'webhook-secret-of-the-benchmark-01234',
    IDP_ISSUER: 'http://127.0.0.1:9',
    IDP_AUDIENCE: 'benchmark',
    MAIL_FROM: 'benchmark@acme.example',
    MAIL_FROM_NAME: 'Acme',
    SMTP_HOST: '127.0.0.1',
    SMTP_TLS: 'none',
    SMTP_PORT: String(port),
    DKIM_DOMAIN: 'acme.example',
    DKIM_SELECTOR: 'benchmark',
    DKIM_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    VAPID_PUBLIC_KEY: vapid.publicKey,
    VAPID_PRIVATE_KEY: vapid.privateKey,
    VAPID_SUBJECT: 'mailto:benchmark@acme.example',
  }
}
