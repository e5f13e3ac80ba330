import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import webPush from 'web-push'
import { AUDIENCE, TestIssuer } from '#tests/world/issuer'
import { freePort } from '#tests/world/free_port'
import { TestSmtpServer } from '#tests/world/smtp_server'

export const INTERNAL_KEY = 'internal-key-of-the-tests-0123456789'
/** Also accepted, as during a rotation. */
export const NEXT_INTERNAL_KEY = 'the-next-internal-key-of-the-tests-01'
export const WEBHOOK_SECRET = 'webhook-secret-of-the-tests-0123456789'
/** The key that signs lifecycle events. */
export const TARGET_KEY = 'whsec-target-of-the-tests'
export const SUPER_ADMIN = 'root@tests.example'

export let issuer: TestIssuer

export let smtp: TestSmtpServer

export const MAIL_FROM = 'concierge@platform.example'
export const VAPID = webPush.generateVAPIDKeys()
export const DKIM = { domain: 'platform.example', selector: 'tests', ...rsaKeys() }

/** As PEM. */
export function rsaKeys() {
  return generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
}

/**
 * Starts the servers that the application under test connects to and sets the environment. Must
 * run before the application boots.
 */
export async function prepareTestWorld() {
  issuer = await new TestIssuer().start()
  smtp = await new TestSmtpServer().start()
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'concierge-'))
  // A folder that does not exist, so that a query fails.
  const withoutDatabase = process.env.TEST_WITHOUT_DATABASE
  Object.assign(process.env, {
    NODE_ENV: 'test',
    TZ: 'Pacific/Auckland', // Far from UTC: whatever leans on the machine's zone fails.
    HOST: '127.0.0.1',
    PORT: String(port),
    APP_URL: `http://127.0.0.1:${port}`,
    APP_KEY: 'a-key-that-only-the-tests-know-of',
    LOG_LEVEL: process.env.LOG_LEVEL || 'silent',
    RATE_LIMIT_FAILED_AUTH: '0', // All tests ask from one address.
    RATE_LIMIT_TOKEN: '600000', // The one super admin asks in most tests, many times in some.
    DB_CONNECTION: process.env.DB_CONNECTION || 'sqlite',
    SQLITE_SYNCHRONOUS: 'normal', // No test cuts the power.
    SQLITE_PATH: join(folder, ...(withoutDatabase ? ['missing'] : []), 'tests.sqlite3'),
    INTERNAL_API_KEY: `${INTERNAL_KEY},${NEXT_INTERNAL_KEY}`,
    WEBHOOK_SECRET,
    IDP_WEBHOOK_SIGNING_KEYS: `${TARGET_KEY}, the-former-target-key`,
    IDP_ISSUER: issuer.url,
    IDP_AUDIENCE: `another-audience,${AUDIENCE}`,
    AUTHZEN_CLIENTS: 'the-gateway, gateway-client',
    PANEL_CLIENT_ID: 'concierge-panel',
    PANEL_CLIENT_SECRET: 'the-secret-of-the-panel-of-the-tests',
    IDP_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    IDP_ORG_APPLICATIONS: '{"org-of-shop":"mapped-shop"}',
    SUPER_ADMINS: SUPER_ADMIN,
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(smtp.port),
    MAIL_FROM,
    MAIL_FROM_NAME: 'The Platform',
    DKIM_DOMAIN: DKIM.domain,
    DKIM_SELECTOR: DKIM.selector,
    DKIM_PRIVATE_KEY: DKIM.privateKey,
    VAPID_PUBLIC_KEY: VAPID.publicKey,
    VAPID_PRIVATE_KEY: VAPID.privateKey,
    VAPID_SUBJECT: 'mailto:ops@platform.example',
  })
}
