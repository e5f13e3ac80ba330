import webPush from 'web-push'
import { freePort } from '#tests/world/free_port'
import { type ForkedServer, startServer } from './processes.ts'

const vapid = webPush.generateVAPIDKeys()

export const INTERNAL_KEY = 'internal-key-of-the-benchmark-0123456789'

/** @param file starts the service, and tells its port */
export async function startConcierge(
  settings: Record<string, string>,
  file = new URL('servers/concierge.ts', import.meta.url)
): Promise<ForkedServer> {
  return startServer(file, { ...(await productionSettings()), ...settings })
}

/** All that production requires, for a service on a free port. */
export async function productionSettings() {
  return {
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    APP_KEY: 'a-key-that-only-the-benchmark-knows',
    INTERNAL_API_KEY: INTERNAL_KEY,
    CHECK_ON_PUBLIC_PORT: 'true',
    WEBHOOK_SECRET: 'webhook-secret-of-the-benchmark-01234',
    // Never called: the measured endpoints take no tokens.
    IDP_ISSUER: 'http://127.0.0.1:9',
    IDP_AUDIENCE: 'benchmark',
    SMTP_HOST: '127.0.0.1',
    SMTP_TLS: 'none',
    MAIL_FROM: 'benchmark@acme.example',
    VAPID_PUBLIC_KEY: vapid.publicKey,
    VAPID_PRIVATE_KEY: vapid.privateKey,
    VAPID_SUBJECT: 'mailto:benchmark@acme.example',
  }
}
