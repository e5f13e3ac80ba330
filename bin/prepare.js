/**
 * Makes a checkout ready to run: installs the dependencies when they are missing or out of date, builds the packages, and, with `--env`,
 * writes the secrets that `.env` lacks. Plain JavaScript without imports from npm: it runs on whatever Node is there
 * before the project's own one is installed. Prints to stderr only, so that commands keep their output clean.
 */
import { spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const read = (name) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : '')
const write = (name, text, mode) => {
  const temporary = path(`${name}.${process.pid}`)
  writeFileSync(temporary, text, { mode })
  renameSync(temporary, path(name))
}

const STAMP = 'node_modules/.installed-lock'

function install() {
  const lock = createHash('sha256').update(read('package-lock.json')).digest('hex')
  if (read(STAMP) === lock) return
  process.stderr.write('Installing dependencies (once)…\n')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const { status } = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: path('.'),
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
  write(STAMP, lock)
}

/** What the install built, when its sources changed since. */
function buildPackages() {
  const { status } = spawnSync(process.execPath, [path('packages/build.js')], {
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) process.exit(status ?? 1)
}

const secret = () => randomBytes(32).toString('base64url')

/** VAPID keys as Web Push wants them: the uncompressed public point and the private scalar. */
function vapidKeys() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([
    Buffer.from([4]),
    Buffer.from(x, 'base64url'),
    Buffer.from(y, 'base64url'),
  ])
  return {
    VAPID_PUBLIC_KEY: point.toString('base64url'),
    VAPID_PRIVATE_KEY: privateKey.export({ format: 'jwk' }).d,
  }
}

function writeMissingSecrets() {
  const existing = read('.env')
  const wanted = {
    APP_KEY: secret(),
    INTERNAL_API_KEY: secret(),
    WEBHOOK_SECRET: secret(),
    ...vapidKeys(),
  }
  const isSet = (name) => new RegExp(`^${name}=.+`, 'm').test(existing)
  const group = (name) => (name.startsWith('VAPID_') ? isSet('VAPID_PRIVATE_KEY') : isSet(name))
  const lines = Object.entries(wanted).filter(([name]) => !group(name))
  if (lines.length === 0) return
  const heading = existing === '' ? '# Generated on first start; for development only.\n' : existing
  const separator = heading.endsWith('\n') ? '' : '\n'
  write('.env', heading + separator + lines.map(([k, v]) => `${k}=${v}\n`).join(''), 0o600)
  process.stderr.write(`Wrote generated secrets to .env: ${lines.map(([k]) => k).join(', ')}\n`)
}

install()
buildPackages()
if (process.argv.includes('--env')) writeMissingSecrets()
