import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import BetterSqlite from 'better-sqlite3'
import { ProjectCopy } from '#tests/helpers/project_copy'
import { startProductionService } from '#tests/world/production_service'

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)

/** The service inherits the umask. */
function withUmask(umask: number, cleanup: (undo: () => void) => void) {
  const before = process.umask(umask)
  cleanup(() => void process.umask(before))
}

// Neither test depends on the database.
if (process.env.DB_CONNECTION !== 'pg') {
  test.group('Files of SQLite', (group) => {
    let root: string
    group.each.setup(() => {
      root = mkdtempSync(join(tmpdir(), 'concierge-files-'))
      return () => rmSync(root, { recursive: true, force: true })
    })

    test('a new database and its folder are private, under any umask', async ({
      assert,
      cleanup,
    }) => {
      withUmask(0o000, cleanup)
      const folder = join(root, 'data', 'concierge')
      const service = await startProductionService({ SQLITE_PATH: join(folder, 'data.sqlite3') })
      cleanup(async () => void (await service.stop()))
      assert.equal(mode(join(root, 'data')), '700')
      assert.equal(mode(folder), '700')
      const files = readdirSync(folder)
      assert.includeMembers(files, ['data.sqlite3', 'data.sqlite3-wal', 'data.sqlite3-shm'])
      for (const file of files) assert.equal(mode(join(folder, file)), '600', file)
    })

    test('a readable database becomes private, and its folder stays unchanged', async ({
      assert,
      cleanup,
    }) => {
      const folder = join(root, 'data')
      mkdirSync(folder)
      chmodSync(folder, 0o755)
      const path = join(folder, 'data.sqlite3')
      new BetterSqlite(path).close()
      for (const suffix of ['', '-wal', '-shm']) {
        writeFileSync(path + suffix, '', { mode: 0o644 })
        chmodSync(path + suffix, 0o644)
      }
      const service = await startProductionService({ SQLITE_PATH: path })
      cleanup(async () => void (await service.stop()))
      assert.equal(mode(folder), '755')
      for (const file of readdirSync(folder)) assert.equal(mode(join(folder, file)), '600', file)
    })
  })

  test.group('Files of a checkout', () => {
    test('generated secrets are private', async ({ assert, cleanup }) => {
      withUmask(0o000, cleanup)
      const copy = await ProjectCopy.make()
      cleanup(() => copy.remove())
      const { code, output } = await copy.node(['bin/prepare.js', '--env'])
      assert.equal(code, 0, output)
      assert.equal(mode(join(copy.root, '.env')), '600')

      const settings = { NODE_ENV: 'development', IDP_ISSUER: '', ENV_PATH: '', APP_URL: '' }
      const token = await copy.node(['ace.js', 'token', 'alan@acme.example'], settings)
      assert.equal(token.code, 0, token.output)
      const folder = join(copy.root, 'tmp/development')
      assert.equal(mode(join(copy.root, 'tmp')), '700')
      assert.equal(mode(folder), '700')
      for (const file of readdirSync(folder)) assert.equal(mode(join(folder, file)), '600', file)
    })
  })

  test.group('Supply chain', () => {
    interface Locked {
      version?: string
      integrity?: string
      resolved?: string
      link?: boolean
      inBundle?: boolean
      dev?: boolean
      hasInstallScript?: boolean
    }
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, Locked>
    }
    const installed = Object.entries(packages).filter(([path]) => path.includes('node_modules/'))

    test('every package is pinned by a strong hash and names no registry', ({ assert }) => {
      for (const [path, { link, inBundle, integrity, resolved }] of installed) {
        // The hash of the package that bundles it covers it.
        if (link || inBundle) continue
        assert.match(integrity ?? '', /^sha512-/, path)
        assert.isUndefined(resolved, path)
      }
    })

    test('production installs no package with an install script', ({ assert }) => {
      const scripted = installed.filter(([, entry]) => entry.hasInstallScript && !entry.dev)
      assert.deepEqual(
        scripted.map(([path]) => path),
        []
      )
    })

    test('an image contains no secrets', ({ assert }) => {
      const ignored = readFileSync('.dockerignore', 'utf8').split('\n')
      assert.includeMembers(ignored, ['**/.env*', '**/*.env', 'tmp', '.git'])
      assert.isTrue(existsSync('Dockerfile'))
    })
  })
}
