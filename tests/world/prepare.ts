import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AUDIENCE, TestIssuer } from '#tests/world/issuer'
import { freePort } from '#tests/world/free_port'

export const INTERNAL_KEY = 'internal-key-of-the-tests'
export const WEBHOOK_SECRET = 'webhook-secret-of-the-tests'
export const SUPER_ADMIN = 'root@tests.example'

/** The issuer whose tokens the application under test accepts. */
export let issuer: TestIssuer

/**
 * Starts what the settings of the application under test point to, and sets them. Runs before the application boots.
 */
export async function prepareTestWorld() {
  issuer = await new TestIssuer().start()
  const port = await freePort()
  Object.assign(process.env, {
    NODE_ENV: 'test',
    TZ: 'Pacific/Auckland', // Far from UTC: whatever leans on the machine's zone fails.
    HOST: '127.0.0.1',
    PORT: String(port),
    APP_URL: `http://127.0.0.1:${port}`,
    APP_KEY: 'a-key-that-only-the-tests-know-of',
    LOG_LEVEL: process.env.LOG_LEVEL || 'silent',
    DB_CONNECTION: process.env.DB_CONNECTION || 'sqlite',
    SQLITE_PATH: join(mkdtempSync(join(tmpdir(), 'concierge-')), 'tests.sqlite3'),
    INTERNAL_API_KEY: `${INTERNAL_KEY},the-next-internal-key`,
    WEBHOOK_SECRET,
    IDP_ISSUER: issuer.url,
    IDP_AUDIENCE: `another-audience,${AUDIENCE}`,
    IDP_ORG_APPLICATIONS: '{"org-of-shop":"mapped-shop"}',
    SUPER_ADMINS: SUPER_ADMIN,
  })
}
