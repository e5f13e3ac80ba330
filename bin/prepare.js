/**
 * Prepares a checkout: installs missing dependencies, builds the packages and, with `--panel`,
 * what runs in browsers: the inbox component and the admin panel. With `--env`, it writes missing
 * secrets to `.env`. With `--skip-packages`, it leaves the packages alone: they may use what the
 * API description has only after the next `openapi:generate`. Imports nothing from npm, because it
 * runs before the install. Prints to stderr only, so that the output of commands stays clean.
 */
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const read = (name) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : '')
const write = (name, text, mode) => {
  const temporary = path(`${name}.${process.pid}`)
  writeFileSync(temporary, text, { mode })
  renameSync(temporary, path(name))
}

const REFERENCE_PACKAGE = '@scalar/fastify-api-reference'
const REFERENCE_STAMP = 'resources/api_reference/.version'

function install({ production }) {
  if (isInstalled(production)) return
  process.stderr.write('Installing dependencies (once)…\n')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const omit = production ? ['--omit=dev', ...(needsOwnNode() ? [] : ['--omit=optional'])] : []
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...omit]
  const { status } = spawnSync(npm, args, {
    cwd: path('.'),
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}

/**
 * Whether the machine's Node is too old, so that the one in the optional dependencies is needed.
 */
const needsOwnNode = () => Number(process.versions.node.split('.')[0]) < 24

/** Compares the lock file with npm's record of what it has installed. */
function isInstalled(production) {
  const installed = packagesIn('node_modules/.package-lock.json')
  return Object.entries(packagesIn('package-lock.json')).every(([name, wanted]) => {
    if (!name.startsWith('node_modules/') || wanted.link) return true
    const found = installed[name]
    // Optional packages may not exist for this platform.
    if (!found) return wanted.optional || (production && (wanted.dev || wanted.devOptional))
    return found.version === wanted.version
  })
}

function packagesIn(lock) {
  return read(lock) === '' ? {} : JSON.parse(read(lock)).packages
}

const buildPackages = () => runScript('packages/build.js')

function copyReferenceScript() {
  const wanted = packagesIn('package-lock.json')[`node_modules/${REFERENCE_PACKAGE}`].version
  if (read(REFERENCE_STAMP) === wanted) return
  runScript('bin/reference_script.js')
  write(REFERENCE_STAMP, wanted)
}

function runScript(name) {
  const { status } = spawnSync(process.execPath, [path(name)], { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
}

const secret = () => randomBytes(32).toString('base64url')

/** VAPID keys in the format of Web Push: the uncompressed public point and the private scalar. */
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

const production = process.argv.includes('--production')
install({ production })
if (!production) {
  if (!process.argv.includes('--skip-packages')) buildPackages()
  copyReferenceScript()
  if (process.argv.includes('--panel')) {
    runScript('packages/build_inbox.js')
    runScript('packages/build_panel.js')
  }
}
if (process.argv.includes('--env')) writeMissingSecrets()
